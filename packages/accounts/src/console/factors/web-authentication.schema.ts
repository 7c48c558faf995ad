import Type from 'typebox'

const Base64Url = Type.String({ pattern: '^[A-Za-z0-9_-]*$', maxLength: 20_000 })

/** Options and answers of browsers have the JSON forms of Web Authentication, level 3. */
export const CreationOptions = Type.Object(
  { challenge: Base64Url },
  {
    additionalProperties: true,
    description: '`PublicKeyCredentialCreationOptionsJSON` of Web Authentication.',
  },
)

export const RequestOptions = Type.Object(
  { challenge: Base64Url },
  {
    additionalProperties: true,
    description: '`PublicKeyCredentialRequestOptionsJSON` of Web Authentication.',
  },
)

const credentialFields = {
  id: Base64Url,
  rawId: Base64Url,
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Object({}, { additionalProperties: true }),
}

export const RegistrationResponse = Type.Object(
  {
    ...credentialFields,
    response: Type.Object(
      {
        clientDataJSON: Base64Url,
        attestationObject: Base64Url,
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
      },
      { additionalProperties: true, description: 'Answer of the authenticator.' },
    ),
  },
  {
    title: 'PasskeyRegistration',
    additionalProperties: true,
    description: '`RegistrationResponseJSON` of Web Authentication.',
  },
)

export const AuthenticationResponse = Type.Object(
  {
    ...credentialFields,
    response: Type.Object(
      { clientDataJSON: Base64Url, authenticatorData: Base64Url, signature: Base64Url },
      { additionalProperties: true, description: 'Answer of the authenticator.' },
    ),
  },
  {
    title: 'PasskeyAssertion',
    additionalProperties: true,
    description: '`AuthenticationResponseJSON` of Web Authentication.',
  },
)
