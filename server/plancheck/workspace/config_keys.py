"""The keys of a configuration: what each means, and the form of its value. `config_reading` reads by this table."""

from __future__ import annotations

from enum import Enum

from plancheck.analysis.finding import Severity
from plancheck.analysis.rule import Rule
from plancheck.analysis.rules import RULES
from plancheck.analysis.settings import InlineIgnores, Profile
from plancheck.plan.dialects.table import DIALECTS
from plancheck.policy.described import NAME, DescribedKey, FormId, KeyTable, Named, SingleValue, ValueForm

PACKAGE = r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$"
"""The name of a package of Rego."""


class ConfigForm(Enum):
    """What a value of a configuration is."""

    CONFIGURATION = "configuration"
    BASE = "path of a configuration"
    FAIL_ON = "what fails"
    GLOBS = "globs"
    GLOB = "glob"
    POLICIES = "policies"
    POLICY = "path of a policy"
    CATALOGUES = "catalogues"
    CATALOGUE = "path of a catalogue"
    PACKAGE = "package"
    NUMBER = "number"
    FORMAT = "format of plans"
    INLINE_IGNORES = "inline ignores"
    PROFILE = "profile"
    RULES = "rules"
    RULE = "rule"
    SEVERITY = "severity"
    OVERRIDES = "overrides"
    OVERRIDE = "override"
    FILE = "file"


_F = ConfigForm

CONFIG_KEYS = (
    DescribedKey("include", _F.GLOBS, "Which files are plans, by globs relative to this file's folder",
                 '`["**/*.plan.json", "**/*.calls.json", "**/*.trace.json"]`'),
    DescribedKey("exclude", _F.GLOBS, "Which files are not, although `include` matches them", "none"),
    DescribedKey("rules", _F.RULES, "The severities of rules, and their options",
                 "each rule has the severity that its page says, or that of the profile"),
    DescribedKey("overrides", _F.OVERRIDES, "Other severities, or another dialect, for some of the files: later "
                 "overrides win", "all files are alike"),
    DescribedKey("policy", _F.POLICIES, "The policies that are in force together, by their paths: YAML files, Rego "
                 "files or folders of them", "`plan-policy.yaml` or `plan-policy.rego` in the plan's folder or above"),
    DescribedKey("rego-package", _F.PACKAGE, "The package whose rules decide in Rego policies", "the usual ones"),
    DescribedKey("tools", _F.CATALOGUES, "The catalogues of the tools that there are, by paths or globs",
                 "tools and their arguments are not checked against a catalogue"),
    DescribedKey("max-findings", _F.NUMBER, "How many findings a file shows at most", "200"),
    DescribedKey("max-file-size", _F.NUMBER, "Characters of a plan; past it only the JSON text is checked",
                 "20,000,000"),
    DescribedKey("dialect", _F.FORMAT, "The format that plans are written in", "it is recognised by the content"),
    DescribedKey("inline-ignores", _F.INLINE_IGNORES, "Which rules a plan may switch off for itself, by "
                 "`plancheck-ignore`", "`advice`"),
    DescribedKey("profile", _F.PROFILE, "What is looked for, and how strictly, where `rules` says nothing about a "
                 "rule", "`recommended`"),
    DescribedKey("baseline", _F.FILE, "The findings that do not count in `plancheck check`, in a file that "
                 "`--write-baseline` makes", "every finding counts"),
    DescribedKey("fail-on", _F.FAIL_ON, "From which severity on findings make `plancheck check` and `plancheck report` "
                 "exit with 1", "`error`"),
    DescribedKey("extend", _F.BASE, "Another configuration file that holds where this one says nothing: tables are "
                 "merged key by key, lists are replaced", "the defaults hold there"),
)  # fmt: skip
"""In the order in which messages list them."""

OVERRIDE_KEYS = (
    DescribedKey(
        "files", _F.GLOBS, "Which files this is about, by globs relative to this file's folder", is_required=True
    ),
    DescribedKey("rules", _F.RULES, "What changes for them: severities of rules, and their options"),
    DescribedKey("dialect", _F.FORMAT, "The format that they are written in", "as for all other files"),
)

SEVERITY_KEY = DescribedKey("severity", _F.SEVERITY, "What a finding of the rule counts as", "that of the rule")

SEVERITY_WORDS = {
    Severity.ERROR.word: "It makes `plancheck check` fail",
    Severity.WARNING.word: "Something is probably wrong",
    Severity.INFO.word: "Something is worth a look",
    Severity.HINT.word: "Something could be nicer; editors hardly show it",
    "off": "The rule is switched off",
}
FAIL_ON_WORDS = {
    Severity.ERROR.word: "Errors fail",
    Severity.WARNING.word: "Errors and warnings fail",
    Severity.INFO.word: "All but hints fails",
    Severity.HINT.word: "Every finding fails",
    "never": "No finding fails; what could not be checked still does",
}
_PROFILES = {
    Profile.RECOMMENDED.value: "What most authors agree with",
    Profile.STRICT.value: "Every rule, each finding with the severity of its rule",
    Profile.SECURITY.value: "What a policy demands, secrets and other weaknesses, and whatever makes a plan unreadable",
}
_IGNORES = {
    InlineIgnores.ADVICE.value: "Every rule but those that enforce a policy",
    InlineIgnores.ALL.value: "Every rule",
    InlineIgnores.NONE.value: "None",
}


def _rule_form(rule: Rule) -> ValueForm:
    """A severity, or a table with it and the options of a rule."""
    options = (DescribedKey(option.name, f"{rule.name}.{option.name}", option.what.rstrip("."), f"{option.default:,}")
               for option in rule.options)  # fmt: skip
    return ValueForm("a severity, or a table", words=SEVERITY_WORDS, keys=(SEVERITY_KEY, *options))


def config_table() -> KeyTable:
    """All keys of a configuration, the options of all rules included. The reader of configurations needs no more of it
    than the keys, and does not pay for the rest."""
    with_options = [rule for rule in RULES.values() if rule.options]
    forms: dict[FormId, ValueForm] = {
        _F.CONFIGURATION: ValueForm("a table of settings", keys=CONFIG_KEYS),
        _F.BASE: ValueForm("the path of a configuration file, relative to this file's folder", scalar=NAME,
                           sample='"$1"'),
        _F.FAIL_ON: ValueForm("a severity, or `never`", words=FAIL_ON_WORDS),
        _F.GLOBS: ValueForm("a list of globs", items=_F.GLOB, sample='["$1"]'),
        _F.GLOB: ValueForm("a glob", scalar=NAME),
        _F.POLICIES: ValueForm("a list of paths", items=_F.POLICY, sample='["$1"]'),
        _F.POLICY: ValueForm("the path of a policy, relative to this file's folder", scalar=NAME),
        _F.CATALOGUES: ValueForm("a list of paths or globs", items=_F.CATALOGUE, sample='["$1"]'),
        _F.CATALOGUE: ValueForm("a path or glob, relative to this file's folder", scalar=NAME),
        _F.PACKAGE: ValueForm("a package such as `company.plans`", scalar=SingleValue(str, pattern=PACKAGE),
                              sample='"$1"'),
        _F.FILE: ValueForm("the path of a file, relative to this file's folder", scalar=NAME, sample='"$1"'),
        _F.NUMBER: ValueForm("a whole number above zero", scalar=SingleValue(int, least=1), sample="$1"),
        _F.FORMAT: ValueForm("the name of a format", words={dialect.name: "" for dialect in DIALECTS}),
        _F.INLINE_IGNORES: ValueForm("`advice`, `all` or `none`", words=_IGNORES),
        _F.PROFILE: ValueForm("`recommended`, `strict` or `security`", words=_PROFILES),
        _F.RULES: ValueForm("a table of rules and severities", key_names=Named.RULE, members=_F.RULE,
                            particular={rule.name: rule.name for rule in with_options}),
        _F.RULE: ValueForm("a severity, or a table", words=SEVERITY_WORDS, keys=(SEVERITY_KEY,)),
        _F.SEVERITY: ValueForm("a severity", words=SEVERITY_WORDS),
        _F.OVERRIDES: ValueForm("a list of tables (`[[overrides]]`)", items=_F.OVERRIDE),
        _F.OVERRIDE: ValueForm("a table of `files` and what holds for them", keys=OVERRIDE_KEYS,
                               one_of_keys=("rules", "dialect")),
    }  # fmt: skip
    for rule in with_options:
        forms[rule.name] = _rule_form(rule)
        for option in rule.options:
            scalar = SingleValue(int, option.least, option.most)
            written = f"a number from {option.least} to {option.most:,}"
            forms[f"{rule.name}.{option.name}"] = ValueForm(written, scalar=scalar)
    return KeyTable(_F.CONFIGURATION, forms)
