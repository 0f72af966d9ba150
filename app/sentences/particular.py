"""Sample facts for one sentence, where those of its game would say something that never happens."""

from collections.abc import Mapping
from typing import Any

PARTICULAR: Mapping[str, Mapping[str, Any]] = {
    "refused_bridge_while_moving": {"others": ("go A olive", "go B ring")},
    "refused_broken_path": {
        "move": "creature whale1>C5-E5",
        "at": "E5",
        "instead": ("creature whale1>C5-D5",),
    },
    "refused_empty_ship": {"move": "play wind ship1 C5", "piece": "ship1", "others": ("ship2", "ship4")},
    "refused_gone": {"area": "library"},
    "refused_must_stop": {"move": "creature whale1>E5", "instead": ("creature whale1>D6",)},
    "refused_no_area": {
        "area": "castle",
        "areas": ("jewelers", "library", "inn", "works", "smith", "market"),
    },
    "refused_no_creature_reaches": {"move": "creature C5", "instead": ("creature pass",)},
    "refused_no_kind": {"kind": "wood", "kinds": ("gem", "book", "provision", "tool", "weapon")},
    "refused_no_tile_left": {"known": ("J1", "J2", "J3")},
    "refused_no_value": {"would_do": ("1", "2", "3", "4", "5", "6")},
    "refused_no_way": {"move": "creature whale1>D6", "instead": ("creature whale1>D4",)},
    "refused_not_alongside": {"move": "move red1>ship2", "piece": "red1", "instead": ("move red1>D6",)},
    "refused_not_at_isle": {"move": "move red1>isle", "piece": "red1", "instead": ("move red1>D5",)},
    "refused_not_at_sea": {"move": "sink D6", "instead": ("sink F4",)},
    "refused_not_on_the_coast": {"move": "ship D6", "instead": ("ship C5", "ship E3")},
    "refused_not_sea": {"move": "creature whale1>D6", "instead": ("creature whale1>C5",)},
    "refused_not_swimming": {
        "move": "play dolphin red1 D6",
        "piece": "red1",
        "instead": ("play dolphin red4 D6",),
    },
    "refused_not_vacant": {"move": "play move-whale whale1 D6", "instead": ("play move-whale whale1 C5",)},
    "refused_other_isle": {"move": "move red1>NE", "piece": "red1", "instead": ("move red1>isle",)},
    "refused_pay_not_held": {"piece": "statue5", "would": ("olive2", "card:ring")},
    "refused_pay_too_little": {"would": ("olive2", "card:ring")},
    "refused_pay_too_much": {"would": ("olive2", "card:ring")},
    "refused_same_area": {"would_do": ("2", "4")},
    "refused_ship_full": {"move": "move red1>ship2", "instead": ("move red1>D6",)},
    "refused_ship_in_the_way": {"move": "move ship1>D6", "instead": ("move ship1>C5",)},
    "refused_still_land": {"move": "done", "instead": ("sink F4", "sink F5")},
    "refused_three_swimmers": {"move": "board red1 red4", "instead": ("board red1 red4 blue6",)},
    "refused_tile_twice": {"known": ("B1", "B2", "B3")},
    "refused_too_far": {"move": "creature whale1>C1-D1-E1-F1", "instead": ("creature whale1>D1",)},
    "refused_wrong_piece": {"move": "play dolphin whale1 D6", "instead": ("play dolphin red4 D6",)},
    "refused_wrong_source": {"tile": "B1"},
    "refused_wrong_target": {"tile": "B2"},
    "refused_wrong_terrain": {"move": "sink D6", "terrain": "forest", "instead": ("sink F4",)},
    "refused_wrong_values": {"move": "orders 6 F5; 6 G4", "piece": "red", "instead": ("orders random",)},
}
"""By the sentence, then by the name of the fact: a text or a list."""
