# Rootproof with everything a server needs. Non-root; the root file system may be read-only:
# only /var/lib/rootproof (embedded stores) and /tmp are written.
FROM python:3.11-slim-bookworm AS build
WORKDIR /src
COPY requirements-server.lock ./
RUN python -m venv /opt/rootproof \
 && /opt/rootproof/bin/pip install --no-cache-dir --require-hashes -r requirements-server.lock
COPY . .
RUN /opt/rootproof/bin/pip install --no-cache-dir --no-deps .

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /var/lib/rootproof --create-home rootproof
COPY --from=build /opt/rootproof /opt/rootproof
ENV PATH=/opt/rootproof/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    ROOTPROOF_HOME=/var/lib/rootproof
USER 10001
WORKDIR /var/lib/rootproof
VOLUME /var/lib/rootproof
ENTRYPOINT ["rootproof"]
CMD ["doctor"]
