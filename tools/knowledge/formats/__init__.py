"""Files of five formats into text with structure: Markdown, HTML, plain text, PDF, Word (.docx).

Owns what a file says, not how it is cut or found. Markdown and plain text are read in this process; what needs a parser
of untrusted structure is read by a child process with limits (``worker``). Nothing a file refers to is ever fetched.
"""
