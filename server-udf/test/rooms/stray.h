// Stands in no room.
