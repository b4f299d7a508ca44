"""Engines that evaluate Rego policies, each in a process that can be killed, and the judge that asks them."""
