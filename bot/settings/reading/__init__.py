"""Reading a YAML file into settings: places of keys, variables of the environment, errors that explain themselves."""
