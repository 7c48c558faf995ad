import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { SHARED_KINDS } from './shared-kinds.registry.ts'

/** Links to the page of a person, sessions and shares (docs/contract/22-portal.md). */

export const PORTAL_LANGUAGES = ['en', 'de', 'es', 'fr'] as const
const LINK_CONTEXTS = ['launch', 'communications'] as const

const closed = { additionalProperties: false }

export const PortalUrlCreate = Type.Object(
  {
    context: TextEnum(LINK_CONTEXTS, {
      description:
        'Use of the link: `launch` is valid for ten minutes, for a direct redirect; `communications` for 28 days, to be sent. Each opens the page once.',
    }),
    order_id: Type.Optional(
      Nullable(
        Type.String({ format: 'uuid', description: 'Order whose results the page shows first.' }),
      ),
    ),
    language: Type.Optional(
      Nullable(
        TextEnum(PORTAL_LANGUAGES, {
          description: 'Language of the page; by default that of the browser.',
        }),
      ),
    ),
  },
  { title: 'PortalUrlCreate' },
)
export type PortalUrlCreate = Type.Static<typeof PortalUrlCreate>

export const PortalUrl = Type.Object(
  {
    url: Type.String({ description: 'The link. It is returned once, and opens the page once.' }),
    expires_in: Type.Integer({ description: 'Number of seconds until the link expires.' }),
  },
  { title: 'PortalUrl' },
)
export type PortalUrl = Type.Static<typeof PortalUrl>

export const PortalSession = Type.Object(
  {
    id: Uuid,
    status: TextEnum(['unused', 'active'], {
      description: '`unused`: a link that was not opened; `active`: a session in a browser.',
    }),
    share_id: Nullable(
      Type.String({ format: 'uuid', description: 'Share that it shows; null for the person.' }),
    ),
    created_at: DateTime,
    started_at: Nullable(DateTime),
    last_used_at: Nullable(DateTime),
    expires_at: DateTime,
  },
  { title: 'PortalSession' },
)
export type PortalSession = Type.Static<typeof PortalSession>

export const PortalSessionList = Type.Object(
  { data: Type.Array(PortalSession) },
  { title: 'PortalSessionList' },
)

export const EndedPortalSessions = Type.Object(
  { ended: Type.Integer({ description: 'Number of links and sessions that were ended.' }) },
  { title: 'EndedPortalSessions' },
)

const Kinds = Type.Array(TextEnum(SHARED_KINDS), {
  minItems: 1,
  maxItems: SHARED_KINDS.length,
  uniqueItems: true,
  description: 'Kinds of data that the share shows.',
})

export const PortalShare = Type.Object(
  {
    id: Uuid,
    label: Type.String({ description: 'Name that the person gave to the receiver of the link.' }),
    kinds: Kinds,
    status: TextEnum(['active', 'expired', 'revoked']),
    created_at: DateTime,
    expires_at: DateTime,
    revoked_at: Nullable(DateTime),
    last_used_at: Nullable(DateTime),
  },
  { title: 'PortalShare' },
)
export type PortalShare = Type.Static<typeof PortalShare>

export const PortalShareList = Type.Object(
  { data: Type.Array(PortalShare) },
  { title: 'PortalShareList' },
)

export const PortalShareCreate = Type.Object(
  {
    label: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    kinds: Kinds,
    expires_in_days: Type.Integer({
      minimum: 1,
      maximum: 365,
      description: 'Number of days for which the link is valid.',
    }),
  },
  { title: 'PortalShareCreate', ...closed },
)
export type PortalShareCreate = Type.Static<typeof PortalShareCreate>

export const NewPortalShare = Type.Object(
  {
    ...PortalShare.properties,
    url: Type.String({ description: 'The link. It is returned once.' }),
  },
  { title: 'NewPortalShare' },
)
export type NewPortalShare = Type.Static<typeof NewPortalShare>

export const PortalSignIn = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 100 }) },
  { title: 'PortalSignIn', ...closed },
)

export const PortalAccess = Type.Object(
  {
    team: Type.Object({
      name: Type.String(),
      logo_url: Nullable(Type.String()),
      brand_color: Nullable(Type.String()),
    }),
    environment: TextEnum(['sandbox', 'production']),
    language: Nullable(TextEnum(PORTAL_LANGUAGES)),
    order_id: Nullable(Uuid),
    share: Nullable(
      Type.Object(
        { label: Type.String(), kinds: Kinds, expires_at: DateTime },
        { description: 'The share that the page shows to another person; null for the person.' },
      ),
    ),
    time_zone: Type.String({ description: 'Time zone of the person, or UTC.' }),
    erasure_requested_at: Nullable(DateTime),
    expires_at: DateTime,
  },
  { title: 'PortalAccess' },
)
export type PortalAccess = Type.Static<typeof PortalAccess>

export const PortalSeries = Type.Object(
  {
    resource: Type.String({ description: 'Name of the series, or `sleep`.' }),
    kind: TextEnum(SHARED_KINDS),
    unit: Type.String(),
    of: TextEnum(['sum', 'mean'], { description: 'Kind of the value of a day.' }),
    values: Type.Array(Nullable(Type.Number()), {
      description: 'Values of the days of `days`; null for a day without data.',
    }),
    diastolic: Nullable(
      Type.Array(Nullable(Type.Number()), { description: 'Those of a blood pressure.' }),
    ),
    sources: Type.Array(Type.String(), { description: 'Names of the providers of the data.' }),
  },
  { title: 'PortalSeries' },
)
export type PortalSeries = Type.Static<typeof PortalSeries>

export const PortalData = Type.Object(
  {
    days: Type.Array(Type.String({ format: 'date' }), {
      description: 'The last 30 local days, the oldest first.',
    }),
    series: Type.Array(PortalSeries, { description: 'Series with data in these days.' }),
  },
  { title: 'PortalData' },
)
export type PortalData = Type.Static<typeof PortalData>

const PortalResult = Type.Object({
  name: Type.String(),
  value: Type.String({ description: 'Value as the laboratory reported it.' }),
  unit: Nullable(Type.String()),
  min_range_value: Nullable(Type.Number()),
  max_range_value: Nullable(Type.Number()),
  position: Nullable(
    TextEnum(['below', 'within', 'above'], {
      description:
        'Place of the number in the range of the laboratory; null without a number or a range.',
    }),
  ),
  interpretation: Type.String({
    description: 'Interpretation of the laboratory, or by its range.',
  }),
})

export const PortalPanel = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: 'Id of the order, or of the job of an uploaded lab report.',
    }),
    source: TextEnum(['order', 'lab_report']),
    name: Nullable(Type.String({ description: 'Name of the lab test; null for a lab report.' })),
    date: Nullable(Type.String({ format: 'date' })),
    is_final: Type.Boolean({ description: 'False while further results are expected.' }),
    has_document: Type.Boolean({ description: 'Whether there is a PDF.' }),
    results: Type.Array(PortalResult),
  },
  { title: 'PortalPanel' },
)
export type PortalPanel = Type.Static<typeof PortalPanel>

export const PortalResults = Type.Object(
  { panels: Type.Array(PortalPanel, { description: 'The newest first.' }) },
  { title: 'PortalResults' },
)

const ACCESS_ACTORS = ['team', 'you', 'share', 'app', 'link', 'system', 'unknown'] as const
export type AccessActor = (typeof ACCESS_ACTORS)[number]

export const PortalAccessLog = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          date: Type.String({ format: 'date', description: 'Local day of the person.' }),
          last_at: Type.String({ format: 'date-time', description: 'Newest of these requests.' }),
          actor: TextEnum(ACCESS_ACTORS),
          label: Nullable(Type.String({ description: 'Label of the share.' })),
          action: TextEnum(['read', 'changed']),
          about: Type.String({
            description: 'Resource of the permissions, such as `results` (docs/roles.md).',
          }),
          count: Type.Integer({ description: 'Number of requests.' }),
        },
        { title: 'PortalAccessEntry' },
      ),
      { description: 'Requests about the person, joined by day, sender and subject.' },
    ),
    is_complete: Type.Boolean({ description: 'False when older entries are left out.' }),
  },
  { title: 'PortalAccessLog' },
)
export type PortalAccessLog = Type.Static<typeof PortalAccessLog>

export const PortalLink = Type.Object(
  { link_web_url: Type.String({ description: 'Address of the link page for one connection.' }) },
  { title: 'PortalLink' },
)

export const PortalLinkCreate = Type.Object(
  {
    provider: Type.Optional(
      Nullable(Type.String({ maxLength: 64, description: 'Slug, to connect this one again.' })),
    ),
  },
  { title: 'PortalLinkCreate', ...closed },
)

export const PortalImport = Type.Object({ upload_id: Uuid }, { title: 'PortalImport', ...closed })

export const PortalErasureRequest = Type.Object(
  {
    status: TextEnum(['requested', 'scheduled'], {
      description:
        '`requested`: a task of the team; `scheduled`: the erasure begins in two minutes.',
    }),
    requested_at: DateTime,
  },
  { title: 'PortalErasureRequest' },
)
export type PortalErasureRequest = Type.Static<typeof PortalErasureRequest>
