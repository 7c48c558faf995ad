import Type from 'typebox'
import { TextEnum } from '../../schema-types.ts'
import { Strict } from '../result-message.schema.ts'

const Optional = Type.Optional
const Text = Type.String({ maxLength: 255 })
const Path = Type.String({ maxLength: 1000 })
const Url = Type.String({ format: 'uri', maxLength: 1000 })
const Port = Type.Integer({ minimum: 1, maximum: 65_535 })
const Seconds = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })

/**
 * A secret: `secret:<name>` is a value that the operator stores beside the connection, encrypted;
 * `file:<path>` is read on the server when the connection opens. Never the value itself.
 */
const SecretReference = Type.String({ pattern: '^(secret:[a-z0-9_-]{1,40}|file:/.+)$' })

const Tls = Strict({
  /** `server` checks the peer's certificate; `mutual` also shows our own. */
  mode: TextEnum(['off', 'server', 'mutual']),
  ca: Optional(SecretReference),
  cert: Optional(SecretReference),
  key: Optional(SecretReference),
  server_name: Optional(Text),
})

const HttpAuth = Type.Union([
  Strict({ kind: Type.Literal('none') }),
  Strict({ kind: Type.Literal('basic'), user: Text, password: SecretReference }),
  Strict({ kind: Type.Literal('bearer'), token: SecretReference }),
  Strict({ kind: Type.Literal('api_key'), header: Text, key: SecretReference }),
  Strict({
    kind: Type.Literal('oauth2_client'),
    token_url: Url,
    client_id: Text,
    client_secret: SecretReference,
    scope: Optional(Text),
  }),
  Strict({
    /** SMART backend services: a signed JWT in place of a client secret. */
    kind: Type.Literal('private_key_jwt'),
    token_url: Url,
    client_id: Text,
    key: SecretReference,
    algorithm: Optional(TextEnum(['RS384', 'ES384'])),
    scope: Optional(Text),
  }),
])

const Sftp = {
  host: Text,
  port: Optional(Port),
  user: Text,
  /** Private key. */
  key: SecretReference,
  /** Fingerprint of the server's key: `SHA256:…`. Another one is refused. */
  host_key: Type.String({ pattern: '^SHA256:[A-Za-z0-9+/]{43}=?$' }),
  dir: Path,
}

/** How orders are sent. */
export const SendingTransport = Type.Union([
  Strict({
    kind: Type.Literal('mllp'),
    host: Text,
    port: Port,
    tls: Optional(Tls),
    /** The connection is closed when no acknowledgement came in this time. */
    ack_timeout_seconds: Optional(Seconds(1, 600)),
    connect_timeout_seconds: Optional(Seconds(1, 120)),
    /** Whether the connection stays open between messages. */
    keep_open: Optional(Type.Boolean()),
  }),
  Strict({
    kind: Type.Literal('sftp'),
    ...Sftp,
    /** `{control_id}` and `{requisition}` are replaced. */
    name: Optional(Type.String({ maxLength: 100, pattern: '\\{(control_id|requisition)\\}' })),
  }),
  Strict({
    kind: Type.Literal('http'),
    url: Url,
    content_type: Optional(Text),
    auth: Optional(HttpAuth),
    timeout_seconds: Optional(Seconds(1, 600)),
  }),
  Strict({ kind: Type.Literal('folder'), dir: Path, name: Optional(Text) }),
  /** A FHIR server: requisitions as Bundles, reports by search. */
  Strict({
    kind: Type.Literal('fhir'),
    base: Url,
    auth: Optional(HttpAuth),
    shape: Optional(TextEnum(['transaction', 'request_group'])),
    timeout_seconds: Optional(Seconds(1, 600)),
  }),
])
export type SendingTransport = Type.Static<typeof SendingTransport>

const Polled = {
  every_seconds: Optional(Seconds(5, 86_400)),
  /** Names with `*`, such as `*.hl7`. */
  pattern: Optional(Text),
  /**
   * When a file is complete: its size is the same at two polls, or a file with `.done` behind its
   * name is beside it.
   */
  ready: Optional(TextEnum(['stable-size', 'done-file'])),
  /** What becomes of a file that is stored: `delete`, or `move` to the folder `done_dir`. */
  after: Optional(TextEnum(['delete', 'move'])),
  done_dir: Optional(Path),
}

/** How results are received. */
export const ResultTransport = Type.Union([
  Strict({
    kind: Type.Literal('mllp-listen'),
    bind: Text,
    port: Type.Integer({ minimum: 0, maximum: 65_535 }),
    tls: Optional(Tls),
    /** Networks of peers, such as `10.1.2.3/32`; connections of others are closed. */
    peers: Type.Array(Text, { minItems: 1, maxItems: 50 }),
    max_message_megabytes: Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    /** A connection that leaves a message unfinished for this time is closed. */
    frame_timeout_seconds: Optional(Seconds(1, 600)),
    max_connections: Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  }),
  Strict({ kind: Type.Literal('sftp-poll'), ...Sftp, ...Polled }),
  Strict({ kind: Type.Literal('folder-poll'), dir: Path, ...Polled }),
  /** The laboratory posts messages to `/lab/{connection}/message`. */
  Strict({ kind: Type.Literal('http-receive'), auth: HttpAuth }),
  Strict({
    kind: Type.Literal('http-poll'),
    /** Answers a JSON list of ids. */
    list: Url,
    /** `{id}` is replaced. */
    get: Url,
    /** Called for each result after it is stored. */
    confirm: Optional(Url),
    auth: Optional(HttpAuth),
    every_seconds: Optional(Seconds(5, 86_400)),
  }),
  Strict({
    kind: Type.Literal('fhir-poll'),
    base: Url,
    auth: Optional(HttpAuth),
    /** Search of reports; `{since}` is replaced. */
    search: Optional(Type.String({ maxLength: 500 })),
    overlap_seconds: Optional(Seconds(0, 86_400)),
    every_seconds: Optional(Seconds(5, 86_400)),
  }),
])
export type ResultTransport = Type.Static<typeof ResultTransport>
