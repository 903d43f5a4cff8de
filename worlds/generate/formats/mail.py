"""Outgoing mail: SMTP replies as JavaMail reports them."""

from worlds.generate.dice import Dice, draw_word
from worlds.generate.speech import Said

SENDER = "org.springframework.mail.javamail.JavaMailSenderImpl"


def deferred(dice: Dice) -> Said:
    """Return the record of a message that the receiving side put off."""
    code = draw_word(
        dice,
        (
            "451 4.7.1 Greylisting in action, please come back later",
            "421 4.7.0 Try again later, closing connection.",
            "450 4.2.1 The user you are trying to contact is receiving mail too quickly",
        ),
    )
    return Said("WARN", f"Failed messages: com.sun.mail.smtp.SMTPSendFailedException: {code}", SENDER)


def unreachable(host: str) -> Said:
    """Return the record of a relay that did not accept a connection."""
    return Said(
        "ERROR",
        "Mail server connection failed. Failed messages: com.sun.mail.util.MailConnectException: "
        f"Couldn't connect to host, port: {host}, 587; timeout 5000",
        SENDER,
    )
