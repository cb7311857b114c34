#include "edge/mapped_library.h"

#include <dlfcn.h>

namespace pq {

void keep_library_mapped() noexcept {
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(&keep_library_mapped), &info) != 0) {
    // The handle is dropped on purpose: RTLD_NODELETE outlives it.
    (void)dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  }
}

}  // namespace pq
