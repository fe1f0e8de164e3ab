"""25.2 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "25.2")

REPLACED = "if not any(ways != others and _begin(ways, others) for others in about.values())"
STRICTEST = "decided = max(left, key=STRICTNESS.index, default=default)"
DEFAULT = 'default: Permission = "deny" if call.effect else "allow"'
PARTS = 'PurePosixPath(normpath(path).replace("//", "/")).parts'
OWN = 'server, slash, own = name.rpartition("/")'

wrong(
    "As in a firewall, the first rule that is about a call decides.",
    (STRICTEST, "decided = next((rule.permission for rule in about), default)"),
    caught_by="test_a_narrower_rule_replaces_a_wider_one_in_either_direction",
    says="In which order they stand does not matter",
)
wrong(
    "Of the rules that are left, a yes is enough.",
    (STRICTEST, "decided = min(left, key=STRICTNESS.index, default=default)"),
    caught_by="test_the_strictest_of_equals_decides",
    says="ask is stricter than allow",
)
wrong(
    "A rule about a tool is narrower than a rule about all tools, whatever else they say.",
    (REPLACED, "if not any(len(others[0]) > len(ways[0]) for others in about.values())"),
    caught_by="test_a_deeper_folder_is_narrower_and_a_path_the_narrowest",
    says="each of the rules is about fewer calls",
)
wrong(
    "What counts is how much a rule says: all parts of its tool and its path together.",
    (
        REPLACED,
        "if sum(map(len, ways)) == max(sum(map(len, others)) for others in about.values())",
    ),
    caught_by="test_rules_that_are_narrow_in_different_ways_replace_neither",
    says="neither is its exception",
)
wrong(
    "A call that no rule is about has to be asked about.",
    (DEFAULT, 'default: Permission = "ask" if call.effect else "allow"'),
    caught_by="test_without_a_rule_only_what_has_no_effect_is_allowed",
    says="nobody has thought of it",
)
wrong(
    "A look can do no harm, so no rule can forbid it.",
    (STRICTEST, f'{STRICTEST} if call.effect else "allow"'),
    caught_by="test_a_rule_about_the_call_decides",
    says="whatever would be without it",
)
wrong(
    "A pattern is a pattern: fnmatch knows stars.",
    (
        "_of_tool(call.tool), argument)",
        "_of_tool(rule.tool if fnmatch(call.tool, rule.tool) else call.tool), argument)",
    ),
    ("import json\n", "import json\nfrom fnmatch import fnmatch\n"),
    caught_by="test_a_tool_belongs_to_its_server",
    says="a pattern is a name, a server and all its tools, or all tools",
)
wrong(
    "What stands before the first slash is the server.",
    (
        OWN,
        'server, slash, own = name.partition("/")\n'
        '    server, own = (server, own) if slash else ("", name)',
    ),
    caught_by="test_a_server_may_have_slashes_in_its_name",
    says="what stands behind the last slash",
)
wrong(
    "A path is below a folder if it begins with it.",
    (PARTS, "tuple(normpath(path))"),
    caught_by="test_a_path_is_compared_by_where_it_leads",
    says="if it goes through it (by its whole name)",
)
wrong(
    "A value is compared as text.",
    ("if isinstance(value, str) else ()", "if value is not None else ()"),
    ("_of_path(rule.argument, value, END)", "_of_path(rule.argument, str(value), END)"),
    caught_by="test_a_condition_is_about_a_text",
    says="the number 7 is not the text",
)
wrong(
    "Whoever said yes has decided, whatever the rules say.",
    ('if decided == "ask" and any(', "if any("),
    caught_by="test_a_yes_makes_no_deny_undone",
    says="there was none to ask",
)
wrong(
    "A yes is to a tool and its arguments; which agent calls it makes no difference.",
    ("return call.actor, call.tool,", 'return "", call.tool,'),
    caught_by="test_a_yes_covers_its_call_and_no_other",
    says="somebody said yes to",
)
wrong(
    "Two calls are the same if they are equal.",
    ("any(_identity(a.call) == asked and", "any(a.call == call and"),
    caught_by="test_values_that_python_calls_equal_are_not_the_same_json",
    says="Python calls 1, 1.0 and True equal",
)
wrong(
    "Until noon means noon included.",
    ("now < a.until", "now <= a.until"),
    caught_by="test_a_yes_ends",
    says="`until` itself is no longer covered",
)
wrong(
    "The newest approval counts.",
    ("for a in approvals):", "for a in approvals[-1:]):"),
    caught_by="test_one_yes_of_several_is_enough",
    says="whatever the others do",
)
