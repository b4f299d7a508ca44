package kitelogik.agent_plan

import rego.v1

default deny := false

# A plan must not start with a payment.
deny if startswith(input.steps[0].tool_name, "payments.")
