import { PROVIDER_SLUGS, PROVIDERS } from '@salus/contracts/providers'
import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { CONNECTORS, regionNames } from '../connectors/index.ts'
import { LINK_STATES } from './link.machine.ts'
import { LINK_ERRORS, type LinkErrorType } from './link-errors.registry.ts'

const slugsOf = (...types: string[]): string[] =>
  PROVIDERS.filter(({ authType }) => types.includes(authType)).map(({ slug }) => slug)

/** docs/contract/04-providers.md#provider-slugs */
export const OAuthProvider = TextEnum(slugsOf('oauth', 'team_oauth'))
export const PasswordProvider = TextEnum(slugsOf('password'))
export const EmailProvider = TextEnum(slugsOf('email'))

/** docs/contract/04-providers.md#regions */
const REGIONS = (
  'us eu de fr ca br ar cl co mx gb ie au nz nl at be bh ch cz dk eg es fi gr hr il it jo kw lb lu no om pl pt qa ' +
  'sa se si sk tr za in sg hk kr ph tw'
).split(' ')
const Region = Type.Optional(Nullable(TextEnum(REGIONS)))
/** Vendors of passwords have names of their own for their regions. */
const VENDOR_REGIONS = CONNECTORS.flatMap(({ auth }) =>
  auth.kind === 'password' ? regionNames(auth) : [],
)
const PasswordRegion = Type.Optional(
  Nullable(TextEnum([...new Set([...REGIONS, ...VENDOR_REGIONS])])),
)

const MOST_URL_LENGTH = 2083
const Redirect = Type.Optional(Nullable(TextEnum(['redirect'])))

export const LinkTokenBody = Type.Object(
  {
    user_id: Uuid,
    provider: Type.Optional(Nullable(TextEnum(PROVIDER_SLUGS))),
    redirect_url: Type.Optional(
      Nullable(
        Type.String({
          maxLength: MOST_URL_LENGTH,
          description: 'Absolute URL. Apps may use a scheme of their own.',
        }),
      ),
    ),
    filter_on_providers: Type.Optional(
      Nullable(Type.Array(TextEnum(PROVIDER_SLUGS), { minItems: 1, maxItems: 100 })),
    ),
    on_error: Redirect,
    on_close: Redirect,
  },
  { title: 'LinkTokenCreate' },
)
export type LinkTokenBody = Type.Static<typeof LinkTokenBody>

export const LinkToken = Type.Object(
  { link_token: Type.String(), link_web_url: Type.String() },
  { title: 'LinkToken' },
)
export type LinkToken = Type.Static<typeof LinkToken>

export const LinkTokenCheck = Type.Object(
  { token: Type.String({ description: 'Link token.' }) },
  { title: 'LinkTokenCheck' },
)
export const LinkTokenValidity = Type.Object(
  { is_valid: Type.Boolean() },
  { title: 'LinkTokenValidity' },
)

export const LinkContinuation = Type.Object(
  { continuation: Type.String({ description: 'Value of the link page configuration.' }) },
  { title: 'LinkContinuation' },
)

export const LinkStart = Type.Object(
  { link_token: Type.String(), provider: TextEnum(PROVIDER_SLUGS) },
  { title: 'LinkStart' },
)
export const StartedLink = Type.Object({ token: Type.String() }, { title: 'StartedLink' })

export const LinkSessionState = Type.Object(
  {
    state: TextEnum(LINK_STATES),
    provider: Nullable(Type.String()),
    redirect_url: Nullable(Type.String()),
  },
  { title: 'LinkSessionState' },
)
export type LinkSessionState = Type.Static<typeof LinkSessionState>

export const SourceLink = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    description: Type.String(),
    logo: Type.String(),
    oauth_url: Nullable(Type.String()),
    auth_type: Nullable(Type.String()),
    form_components: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Fields of the sign-in form by their name in the request.',
    }),
  },
  { title: 'SourceLink' },
)
export type SourceLink = Type.Static<typeof SourceLink>

export const Source = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    description: Type.String(),
    logo: Type.String(),
    group: Nullable(Type.String()),
    oauth_url: Nullable(Type.String({ description: 'URL to redirect the user to.' })),
    auth_type: Nullable(Type.String()),
    source_type: Nullable(Type.String()),
    is_active: Type.Boolean(),
    backfill_num_days: Nullable(Type.Integer()),
  },
  { title: 'OAuthSource' },
)
export type Source = Type.Static<typeof Source>

export const LinkConfigQuery = Type.Object({
  opener: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Origin of the page that opened the link page in a pop-up.',
    }),
  ),
})

/** A provider whose data an app on a phone sends. */
const AppProvider = Type.Object({ name: Type.String(), slug: Type.String(), logo: Type.String() })

export const LinkConfig = Type.Object(
  {
    team: Type.Object({
      name: Type.String(),
      logo_url: Nullable(Type.String()),
      brand_color: Nullable(Type.String()),
    }),
    providers: Type.Array(SourceLink),
    app_providers: Type.Array(AppProvider, {
      description: 'Providers that the page explains: an app on a phone connects them.',
    }),
    connections: Type.Array(
      Type.Object({
        ...AppProvider.properties,
        status: Type.String({
          description: 'State of the connection: connected, error or paused.',
        }),
      }),
      { description: 'Providers to which the user is connected already.' },
    ),
    redirect_url: Nullable(Type.String()),
    provider: Nullable(
      Type.String({ description: 'Slug of the only provider that may be connected.' }),
    ),
    opener: Nullable(
      Type.String({
        description: 'Origin of the request, if the team allows it; null for any other.',
      }),
    ),
    continuation: Nullable(
      Type.String({
        description:
          'Starts a further link session once this one has connected an account; null for a session with a fixed provider.',
      }),
    ),
    on_error: Nullable(Type.String()),
    on_close: Nullable(Type.String()),
    environment: Type.String(),
    region: Type.String(),
  },
  { title: 'LinkConfig' },
)
export type LinkConfig = Type.Static<typeof LinkConfig>

export const PasswordBody = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 320 }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    region: PasswordRegion,
  },
  { title: 'PasswordSignIn' },
)
export type PasswordBody = Type.Static<typeof PasswordBody>

export const MfaBody = Type.Object(
  { mfa_code: Type.String({ minLength: 1, maxLength: 100 }) },
  { title: 'MfaCode' },
)

export const EmailBody = Type.Object(
  {
    email: Type.String({ format: 'email', maxLength: 320 }),
    region: Region,
    provider: Type.Optional(Nullable(TextEnum(PROVIDER_SLUGS, { deprecated: true }))),
  },
  { title: 'EmailSignIn' },
)
export type EmailBody = Type.Static<typeof EmailBody>

const AuthTypeText = Type.Optional(Nullable(Type.String({ deprecated: true })))
export const OldPasswordBody = Type.Object(
  { ...PasswordBody.properties, provider: PasswordProvider, auth_type: AuthTypeText },
  { title: 'PasswordAuthLink' },
)
/** A provider that can be connected, other than the first of the list. */
export const OLD_PASSWORD_EXAMPLE = {
  username: 'person@example.com',
  password: 'correct',
  provider: 'abbott_libreview',
}
export const OldEmailBody = Type.Object(
  { ...EmailBody.properties, provider: EmailProvider, auth_type: AuthTypeText },
  { title: 'EmailAuthLink' },
)
export const OldSignInResult = Type.Object(
  { success: Type.Boolean(), redirect_url: Type.String() },
  { title: 'AuthLinkResult' },
)

export const ProviderLinkResponse = Type.Object(
  {
    state: TextEnum(['success', 'error', 'pending_provider_mfa']),
    redirect_url: Nullable(
      Type.String({ description: 'URL to redirect the user to. Its query has the outcome.' }),
    ),
    error_type: Nullable(TextEnum(Object.keys(LINK_ERRORS) as LinkErrorType[])),
    error: Nullable(Type.String()),
    provider_mfa: Nullable(
      Type.Object(
        {
          method: Type.String({
            description:
              'Channel over which the code was sent: sms or email; totp for a code of an app of the user.',
          }),
          hint: Type.String({
            description: 'Recipient of the code, such as a redacted phone number.',
          }),
        },
        { title: 'ProviderMFARequest' },
      ),
    ),
    provider: Type.String(),
    connected: Type.Boolean(),
    provider_id: Nullable(Type.String({ description: 'Account id at the provider.' })),
  },
  { title: 'ProviderLinkResponse' },
)
export type ProviderLinkResponse = Type.Static<typeof ProviderLinkResponse>

export const ConnectCallback = Type.Object({
  state: Type.Optional(Type.String({ description: 'Link token.' })),
  code: Type.Optional(Type.String()),
  scope: Type.Optional(
    Type.String({ description: 'Scopes that the user granted, when the provider reports them.' }),
  ),
  error: Type.Optional(Type.String()),
  error_description: Type.Optional(Type.String()),
})
