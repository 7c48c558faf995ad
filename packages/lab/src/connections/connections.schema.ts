import type { LabConnectionConfig } from '@salus/contracts/lab-gateway'
import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import { OUTGOING_STATES } from './connections.tables.ts'

/** Laboratory connections as the operator's routes take and return them. */

export const ConnectionName = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{1,39}$',
  description: 'Name of the connection.',
})

/** Its own validation reports the problems of the transport that it names, and of no other. */
const AnyConfig = Type.Unsafe<LabConnectionConfig>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Configuration of the connection, with every key of docs/lab-connections.md.',
    },
  ),
)

export const LabConnectionInput = Type.Object(
  {
    config: AnyConfig,
    secrets: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z0-9_-]{1,40}$' }),
        Type.String({ maxLength: 20_000 }),
        {
          description:
            'Values of `secret:` references by name. They are stored encrypted and never returned. ' +
            'Values that are left out stay.',
        },
      ),
    ),
  },
  { title: 'LabConnectionInput', additionalProperties: false },
)
export type LabConnectionInput = Type.Static<typeof LabConnectionInput>

export const LabConnectionImportQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: 'Checks the connection and stores nothing.' }),
  ),
})

/** What needs the operator. */
export const CONNECTION_ALERTS = ['no_message', 'queue_old', 'rejected', 'not_receiving'] as const

const ConnectionQueue = Type.Object(
  {
    waiting: Type.Integer({ description: 'Messages that the laboratory has not answered.' }),
    oldest_waiting_at: Nullable(DateTime),
    refused: Type.Integer({ description: 'Messages that the laboratory refused.' }),
    last_answered_at: Nullable(DateTime),
  },
  { title: 'LabConnectionQueue' },
)

export const LabConnection = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    lab: Type.String({ description: 'Slug of the laboratory.' }),
    gateway: Type.String({ description: 'Gateway of its messages.' }),
    is_enabled: Type.Boolean(),
    is_held: Type.Boolean({ description: 'Whether orders wait until the operator releases them.' }),
    config: AnyConfig,
    secrets: Type.Array(Type.String(), { description: 'Names of the stored secrets.' }),
    queue: ConnectionQueue,
    receiving_problem: Nullable(
      Type.String({ description: 'Code of what prevents receiving; null while it works.' }),
    ),
    last_received_at: Nullable(DateTime),
    alerts: Type.Array(TextEnum(CONNECTION_ALERTS), {
      description: 'Alerts that need the operator now, by the `alerts` of the configuration.',
    }),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'LabConnection' },
)
export type LabConnection = Type.Static<typeof LabConnection>

export const LabConnectionList = Type.Object(
  { data: Type.Array(LabConnection) },
  { title: 'LabConnectionList' },
)

export const LabConnectionImport = Type.Object(
  {
    outcome: TextEnum(['created', 'changed', 'unchanged']),
    is_dry_run: Type.Boolean(),
    changed: Type.Array(Type.String(), {
      description: 'Settings that differ from the stored ones.',
    }),
    warnings: Type.Array(Type.String(), {
      description: 'Settings that are allowed and not advised.',
    }),
    connection: Nullable(LabConnection),
  },
  { title: 'LabConnectionImport' },
)
export type LabConnectionImport = Type.Static<typeof LabConnectionImport>

export const LabConnectionCheck = Type.Object(
  {
    is_ready: Type.Boolean(),
    checks: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Part of the connection that was checked.' }),
        problem: Nullable(Type.String({ description: 'Code of the problem; null when it works.' })),
        detail: Nullable(Type.String()),
      }),
    ),
  },
  { title: 'LabConnectionCheck' },
)
export type LabConnectionCheck = Type.Static<typeof LabConnectionCheck>

export const OutgoingLabMessage = Type.Object(
  {
    id: Uuid,
    order_id: Uuid,
    purpose: TextEnum(['order', 'cancellation']),
    control_id: Type.String({ description: 'Id of the message (MSH-10).' }),
    placer_number: Type.String(),
    requisition_number: Nullable(Type.String()),
    state: TextEnum(OUTGOING_STATES, {
      description:
        '`waiting` for an answer; `accepted`; `committed`: received, and the answer follows; `refused`.',
    }),
    answer_code: Nullable(Type.String()),
    answer_location: Nullable(
      Type.String({ description: 'Segment and field that the laboratory named.' }),
    ),
    problem: Nullable(Type.String({ description: 'Code of the last attempt without an answer.' })),
    attempts: Type.Integer(),
    created_at: DateTime,
    attempted_at: Nullable(DateTime),
    answered_at: Nullable(DateTime),
    resent_count: Type.Integer({
      description: 'Number of times that an operator had it sent again.',
    }),
    resent_at: Nullable(DateTime),
  },
  { title: 'OutgoingLabMessage' },
)
export type OutgoingLabMessage = Type.Static<typeof OutgoingLabMessage>

export const OutgoingLabMessageQuery = Type.Object({
  state: Type.Optional(
    TextEnum(OUTGOING_STATES, { description: 'State of the messages to list; all by default.' }),
  ),
  ...pageQuery(200),
})
export type OutgoingLabMessageQuery = Type.Static<typeof OutgoingLabMessageQuery>

export const OutgoingLabMessageList = Type.Object(
  { data: Type.Array(OutgoingLabMessage), next_cursor: Nullable(Type.String()) },
  { title: 'OutgoingLabMessageList' },
)

export const RehearsalInput = Type.Object(
  {
    order_ids: Type.Optional(
      Type.Array(Uuid, { maxItems: 100, description: 'Orders of the environment to write.' }),
    ),
    messages: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String({ maxLength: 255 }),
          content: Type.String({ description: 'Bytes of the message or file in base64.' }),
        }),
        { maxItems: 500, description: 'Sample results of the laboratory to read.' },
      ),
    ),
  },
  { title: 'LabConnectionRehearsalInput', additionalProperties: false },
)
export type RehearsalInput = Type.Static<typeof RehearsalInput>

const RehearsedResult = Type.Object({
  test: Nullable(Type.String()),
  code: Nullable(Type.String()),
  loinc: Nullable(Type.String()),
  sub_id: Nullable(Type.String()),
  name: Type.String(),
  value: Type.String(),
  unit: Nullable(Type.String()),
  range: Nullable(Type.String()),
  flags: Type.Array(Type.String()),
  status: Type.String(),
  notes: Nullable(Type.String()),
})

export const Rehearsal = Type.Object(
  {
    orders: Type.Array(
      Type.Object({
        order_id: Uuid,
        problem: Nullable(Type.String()),
        content: Nullable(Type.String({ description: 'Bytes of the message in base64.' })),
      }),
    ),
    messages: Type.Array(
      Type.Object({
        name: Type.String(),
        problem: Nullable(Type.String({ description: 'Code of why it cannot be read.' })),
        updates: Type.Array(
          Type.Object({
            kind: Type.String(),
            numbers: Type.Array(Type.String()),
            patient: Nullable(
              Type.Object({
                first_name: Nullable(Type.String()),
                last_name: Nullable(Type.String()),
                dob: Nullable(Type.String()),
                gender: Nullable(Type.String()),
                patient_id: Nullable(Type.String()),
              }),
            ),
            results: Type.Array(RehearsedResult),
            missing: Type.Array(Type.String()),
            documents: Type.Array(
              Type.Object({
                name: Type.String(),
                content_type: Type.String(),
                sha256: Type.String(),
              }),
            ),
          }),
        ),
      }),
    ),
  },
  { title: 'LabConnectionRehearsal' },
)
export type Rehearsal = Type.Static<typeof Rehearsal>
