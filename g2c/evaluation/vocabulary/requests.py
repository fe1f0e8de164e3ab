"""Requests for one call of a function, and the calls that are right.

In a call, a text that begins with `=` is a number, and a list holds all values that are right. None
among them says that the argument may be left out.
"""

from __future__ import annotations

from typing import Any

_NO = [False, None]

Calls = tuple[tuple[tuple[str, ...], str, str, dict[str, list[Any]]], ...]
"""The functions at hand, the request, the one to call (none if empty), and its arguments."""

CALLS: Calls = (
    (
        ("hire_boat",),
        "I want to row for {k} hours. Get me a boat in {place}.",
        "hire_boat",
        {"harbour": ["{place}"], "hours": ["={k}"], "sail": _NO},
    ),
    (
        ("hire_boat", "ring_bell"),
        "A boat with a sail, please, at {place}, for {k} hours.",
        "hire_boat",
        {"harbour": ["{place}"], "hours": ["={k}"], "sail": [True]},
    ),
    (
        ("book_berth",),
        "{person} will sleep on the lower deck for {k} nights.",
        "book_berth",
        {"traveller": ["{person}"], "deck": ["lower"], "nights": ["={k}"]},
    ),
    (
        ("book_berth", "hire_boat"),
        "{k} nights on the upper deck are wanted for {person}.",
        "book_berth",
        {"traveller": ["{person}"], "deck": ["upper"], "nights": ["={k}"]},
    ),
    (
        ("cut_rope",),
        "I need pieces of {b}, {k} and {c} metres of {colour} rope, in this order.",
        "cut_rope",
        {"lengths": [["={b}", "={k}", "={c}"]], "colour": ["{colour}"]},
    ),
    (
        ("cut_rope", "weigh_salt"),
        "Cut me two pieces of rope, {k} metres and then {b} metres.",
        "cut_rope",
        {"lengths": [["={k}", "={b}"]], "colour": [None]},
    ),
    (
        ("call_meeting",),
        "Have {person} and {other} come on {day} {month} {year}.",
        "call_meeting",
        {"invited": [["{person}", "{other}"], ["{other}", "{person}"]], "on": ["{date}"],
         "secret": _NO},
    ),
    (
        ("call_meeting", "plan_sale"),
        "In secret, bring {person} and {other} together on {day} {month} {year}.",
        "call_meeting",
        {"invited": [["{person}", "{other}"], ["{other}", "{person}"]], "on": ["{date}"],
         "secret": [True]},
    ),
    (
        ("plan_sale",),
        "The {goods} go on sale on {day} {month} {year}. Plan with {b} helpers.",
        "plan_sale",
        {"goods": ["{goods}"], "begins": ["{date}"], "helpers": ["={b}"]},
    ),
    (
        ("plan_sale", "call_meeting"),
        "We begin to sell {goods} on {day} {month} {year}.",
        "plan_sale",
        {"goods": ["{goods}"], "begins": ["{date}"], "helpers": [None]},
    ),
    (
        ("send_crate",),
        "A crate with {b} {goods} is to go to {person} in {place}.",
        "send_crate",
        {"to": [{"name": "{person}", "town": "{place}"}],
         "holds": [{"goods": "{goods}", "pieces": "={b}"}], "fragile": _NO},
    ),
    (
        ("send_crate", "weigh_salt"),
        "Send {other} in {place} {b} {goods}, and see that they do not break.",
        "send_crate",
        {"to": [{"name": "{other}", "town": "{place}"}],
         "holds": [{"goods": "{goods}", "pieces": "={b}"}], "fragile": [True]},
    ),
    (
        ("ring_bell", "bridge_toll"),
        "{k} carts are about to cross the bridge of {place}. What will be asked of them?",
        "bridge_toll",
        {"bridge": ["{place}", "the bridge of {place}", "bridge of {place}", "{place} bridge"],
         "carts": ["={k}"]},
    ),
    (
        ("weigh_salt", "ring_bell"),
        "Fill {b} sacks with {k}.5 kilos of coarse salt each.",
        "weigh_salt",
        {"kilos": ["={k}.5"], "sacks": ["={b}"], "coarse": [True]},
    ),
    (
        ("tune_organ", "cut_rope"),
        "The organ in {place} must be in baroque pitch.",
        "tune_organ",
        {"town": ["{place}"], "pitch": ["baroque"], "before": [None]},
    ),
    (
        ("hire_boat", "tune_organ"),
        "Who painted the ceiling of the town hall in {place}?",
        "",
        {},
    ),
)  # fmt: skip
MORE_CALLS: Calls = (
    (
        ("hire_boat", "book_berth"),
        "Could we have a boat without a sail in {place}? {k} hours will do.",
        "hire_boat",
        {"harbour": ["{place}"], "hours": ["={k}"], "sail": _NO},
    ),
    (
        ("book_berth",),
        "Put {other} on the middle deck; it is for {k} nights.",
        "book_berth",
        {"traveller": ["{other}"], "deck": ["middle"], "nights": ["={k}"]},
    ),
    (
        ("cut_rope",),
        "Two lengths of {colour} rope: first {c} metres, then {k}.",
        "cut_rope",
        {"lengths": [["={c}", "={k}"]], "colour": ["{colour}"]},
    ),
    (
        ("call_meeting", "ring_bell"),
        "Only {person} has to come, on {day} {month} {year}, and all may know of it.",
        "call_meeting",
        {"invited": [["{person}"]], "on": ["{date}"], "secret": _NO},
    ),
    (
        ("plan_sale",),
        "{b} helpers sell the {goods}; the first day of it is {day} {month} {year}.",
        "plan_sale",
        {"goods": ["{goods}"], "begins": ["{date}"], "helpers": ["={b}"]},
    ),
    (
        ("send_crate", "hire_boat"),
        "{person} lives in {place} and waits for {b} {goods} in a crate.",
        "send_crate",
        {"to": [{"name": "{person}", "town": "{place}"}],
         "holds": [{"goods": "{goods}", "pieces": "={b}"}], "fragile": _NO},
    ),
    (
        ("ring_bell", "bridge_toll"),
        "Let the bell in the tower of {place} sound {k} times.",
        "ring_bell",
        {"tower": ["{place}", "the tower of {place}", "tower of {place}", "{place} tower"],
         "times": ["={k}"]},
    ),
    (
        ("weigh_salt",),
        "{k} kilos of salt go into each of {b} sacks.",
        "weigh_salt",
        {"kilos": ["={k}"], "sacks": ["={b}"], "coarse": _NO},
    ),
    (
        ("tune_organ", "plan_sale"),
        "By {day} {month} {year} I want the organ in {place} in chamber pitch.",
        "tune_organ",
        {"town": ["{place}"], "pitch": ["chamber"], "before": ["{date}"]},
    ),
    (
        ("tune_organ",),
        "The organ in {place} is out of tune; the pitch of concerts is fine.",
        "tune_organ",
        {"town": ["{place}"], "pitch": ["concert", None], "before": [None]},
    ),
    (
        ("send_crate", "book_berth"),
        "To {other} in {place}, with care, for it is fragile: a crate of {c} {goods}.",
        "send_crate",
        {"to": [{"name": "{other}", "town": "{place}"}],
         "holds": [{"goods": "{goods}", "pieces": "={c}"}], "fragile": [True]},
    ),
    (
        ("cut_rope", "weigh_salt"),
        "Recommend a song about {goods} to {person}.",
        "",
        {},
    ),
)  # fmt: skip
