"""Every sentence the command line writes, in both languages. Data only."""
