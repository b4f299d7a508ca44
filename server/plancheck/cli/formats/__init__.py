"""The formats of `plancheck check`, one file each. All are fed the same results, one by one."""
