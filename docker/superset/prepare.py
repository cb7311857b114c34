"""Makes Superset's own tables, its roles and the user admin, in one process since each start of it takes seconds.

Environment: that of superset_config.py, and SUPERSET_ADMIN_PASSWORD. Running it again changes nothing.
"""

import os

from flask.cli import ScriptInfo
from superset.app import create_app
from superset.cli.main import superset


def main() -> None:
    app = create_app()
    script = ScriptInfo(create_app=lambda: app)
    admin = ["--username", "admin", "--firstname", "Admin", "--lastname", "of Superset", "--email", "admin@localhost"]
    for command in (
        ["db", "upgrade"],
        ["fab", "create-admin", *admin, "--password", os.environ["SUPERSET_ADMIN_PASSWORD"]],
        ["init"],
    ):
        superset.main(args=command, obj=script, prog_name="superset", standalone_mode=False)


if __name__ == "__main__":
    main()
