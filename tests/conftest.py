"""What holds for every test: how hypothesis searches, and that children may be started."""

import os

from hypothesis import settings

# Time on a shared machine says nothing about the code.
settings.register_profile("here", deadline=None)
# The same examples in every run: a red run is red again.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# Tests start child processes beside live calls. gRPC's fork handlers would wake its poller in the
# child before the exec (seen: one child in thirty aborted); read when grpc is first imported.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"
