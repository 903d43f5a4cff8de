"""Kafka consumers: offsets, group membership, fetch sessions."""

from worlds.generate.dice import Dice
from worlds.generate.speech import Said

COORDINATOR = "org.apache.kafka.clients.consumer.internals.ConsumerCoordinator"


def commit_failed(group: str, topic: str, dice: Dice) -> Said:
    """Return the record of a commit that the client repeats by itself."""
    partition, offset = dice.randrange(12), dice.randrange(10**6, 10**7)
    return Said(
        "WARN",
        f"[Consumer clientId=consumer-{group}-1, groupId={group}] Offset commit failed on "
        f"partition {topic}-{partition} at offset {offset}: The coordinator is loading and hence "
        "can't process requests.",
        COORDINATOR,
    )


def fetch_session_lost(group: str, dice: Dice) -> Said:
    """Return the record of a fetch session that is opened again."""
    session, node = dice.randrange(10**8, 10**9), dice.randrange(1, 4)
    return Said(
        "INFO",
        f"[Consumer clientId=consumer-{group}-1, groupId={group}] Node {node} was unable to "
        f"process the fetch request with (sessionId={session}, epoch={dice.randrange(9000)}): "
        "FETCH_SESSION_ID_NOT_FOUND.",
        "org.apache.kafka.clients.FetchSessionHandler",
    )


def processed(topic: str, dice: Dice) -> Said:
    """Return the record of a consumed message."""
    partition, offset = dice.randrange(12), dice.randrange(10**6, 10**7)
    took_ms = dice.randrange(3, 90)
    return Said(
        "INFO",
        f"Processed {topic}-{partition}@{offset} in {took_ms} ms",
        "org.springframework.kafka.listener.KafkaMessageListenerContainer",
    )
