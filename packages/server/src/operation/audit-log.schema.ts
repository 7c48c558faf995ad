import { DateOrDateTime, DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { AUDIT_OUTCOMES } from '@salus/kernel/audit/audit-chain'
import Type from 'typebox'
import { TeamOfRow } from './operation.schema.ts'

const FILTERS = {
  actor_kind: Type.Optional(
    Type.String({ maxLength: 50, description: 'Kind of the actor.', examples: ['management_key'] }),
  ),
  actor_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Id of the key or session that acted.' }),
  ),
  route: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Pattern of the route, exact or with a trailing *.',
      examples: ['/v1/*'],
    }),
  ),
  method: Type.Optional(
    Type.String({ maxLength: 10, description: 'Method of the request.', examples: ['POST'] }),
  ),
  outcome: Type.Optional(
    TextEnum(AUDIT_OUTCOMES, {
      description:
        'Outcome of the request: `refused` with a status of 4xx, `failed` with one of 5xx.',
    }),
  ),
  user_id: Type.Optional(Uuid),
  reads: Type.Boolean({
    default: false,
    description: 'Whether requests that only read are returned too.',
  }),
  console_tokens: Type.Boolean({
    default: true,
    description:
      'Whether the creation of access tokens for sessions of the console is returned too; there is one for each environment every ten minutes.',
  }),
  since: Type.Optional(DateOrDateTime),
  until: Type.Optional(DateOrDateTime),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  next_cursor: Type.Optional(Type.String()),
}

export const EnvironmentAuditQuery = Type.Object(FILTERS)
export type EnvironmentAuditQuery = Type.Static<typeof EnvironmentAuditQuery>

export const AuditQuery = Type.Object({
  ...FILTERS,
  team_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Returns only requests about this team and in its environments.',
    }),
  ),
})
export type AuditQuery = Type.Static<typeof AuditQuery>

/** docs/audit.md */
export const AuditRow = Type.Object(
  {
    sequence: Type.Integer({ description: 'Position in the chain of the log.' }),
    at: DateTime,
    actor_kind: Type.String(),
    actor_id: Nullable(Uuid),
    actor_label: Nullable(Type.String({ description: 'Label of the key.' })),
    action: Nullable(
      Type.String({
        description: 'Description of the request; null for a route that no longer exists.',
        examples: ['Get a user'],
      }),
    ),
    method: Type.String(),
    route: Type.String({ description: 'Pattern of the route, without ids.' }),
    status: Nullable(
      Type.Integer({
        description: 'Status of the answer; null when the process ended before it answered.',
      }),
    ),
    team: TeamOfRow,
    user_id: Nullable(Uuid),
    object_id: Nullable(
      Type.String({ description: 'Other id in the path, such as that of an order.' }),
    ),
  },
  { title: 'AuditRow' },
)

export const AuditList = Type.Object(
  {
    data: Type.Array(AuditRow),
    next_cursor: Nullable(Type.String()),
    searched_back_to: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Time back to which the log was searched for this page; null when the search reached the beginning. A page may hold few rows or none although the next page holds more.',
      }),
    ),
  },
  { title: 'AuditList' },
)
export type AuditList = Type.Static<typeof AuditList>
