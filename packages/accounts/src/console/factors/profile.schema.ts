import { DateTime, Nullable, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { OrganizationUser, Password } from '../users/organization-users.schema.ts'
import { RegistrationResponse } from './web-authentication.schema.ts'

export const Passkey = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    created_at: DateTime,
    last_used_at: Nullable(DateTime),
  },
  { title: 'Passkey' },
)
export type Passkey = Type.Static<typeof Passkey>

/** The signed-in user, with what they sign in with. */
export const Profile = Type.Object(
  {
    user: OrganizationUser,
    passkeys: Type.Array(Passkey),
    recovery_codes_left: Type.Integer({ description: 'Number of recovery codes not used yet.' }),
    second_factor_required: Type.Boolean({
      description: 'Whether the organization requires a second factor.',
    }),
    passkeys_available: Type.Boolean({
      description: 'Whether the address of the console can have passkeys: a host name can.',
    }),
  },
  { title: 'ConsoleUser' },
)
export type Profile = Type.Static<typeof Profile>

export const PasswordChange = Type.Object({
  current_password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Required of a user who has a password.',
    }),
  ),
  password: Password,
})
export type PasswordChange = Type.Static<typeof PasswordChange>

export const TotpSecret = Type.Object({
  secret: Type.String({ description: 'Secret in base32, to type into an authenticator app.' }),
  uri: Type.String({ description: 'Content of the QR code that an authenticator app reads.' }),
})

export const TotpCode = Type.Object({
  code: Type.String({ pattern: '^[0-9 ]{6,8}$', description: 'Code of the authenticator app.' }),
})

export const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), {
    description: 'Codes that each replace one code of the app, once. Only this answer has them.',
  }),
})

const PasskeyName = Type.String({ minLength: 1, maxLength: 80 })

export const NewPasskey = Type.Object({ name: PasskeyName, response: RegistrationResponse })
