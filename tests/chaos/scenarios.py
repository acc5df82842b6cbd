"""What belongs together, and the first set of scenarios and seeds."""

from collections.abc import Mapping
from types import MappingProxyType

from tests.chaos import faults
from tests.chaos.faults import Fault

Weights = Mapping[Fault, int]

KILLS: Weights = {faults.kill: 4, faults.kill_all: 1, faults.restart: 2}
FROZEN: Weights = {faults.freeze: 4, faults.freeze_broker: 1}
BROKER: Weights = {faults.stop_broker: 3, faults.freeze_broker: 1, faults.lose_tail: 2}
DATABASE: Weights = {faults.stop_database: 2, faults.close_database: 3}
FEISHU: Weights = {faults.feishu: 4, faults.kill: 1}
MODEL: Weights = {faults.model: 4, faults.kill: 1}

SCENARIOS: Mapping[str, Weights] = MappingProxyType(
    {
        "kills": KILLS,
        "frozen": FROZEN,
        "broker": BROKER,
        "database": DATABASE,
        "feishu": FEISHU,
        "model": MODEL,
        "everything": {**KILLS, **FROZEN, **BROKER, **DATABASE, faults.feishu: 4, faults.model: 3},
    }
)
FIRST_SET: tuple[tuple[str, int], ...] = (
    ("kills", 1),
    ("frozen", 2),
    ("broker", 3),
    ("database", 4),
    ("feishu", 5),
    ("model", 6),
    ("everything", 7),
    ("everything", 8),
)
