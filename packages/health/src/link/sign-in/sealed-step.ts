import type { SealedColumn } from '@salus/kernel/crypto/reseal'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { PasswordGiven } from '../../connectors/index.ts'
import type { LinkSessionRow } from '../link-sessions.repository.ts'

/** Sealed state of a sign-in between two requests. */
export type SignInStep =
  | {
      kind: 'oauth'
      redirectUri: string
      codeVerifier: string | undefined
      /** Region of a vendor with several. */
      region?: string | undefined
      /** Hash of the nonce of the starting browser, in base64; undefined without one. */
      browser?: string | undefined
    }
  | { kind: 'mfa'; challenge: string; given: PasswordGiven }

const contextOf = (sessionId: string): string => `link_sessions ${sessionId}`

/** Column that is sealed anew when the sealing key is rotated. */
export const SEALED_STEPS: SealedColumn = {
  table: 'link_sessions',
  column: 'sealed',
  key: ['id'],
  contextOf: ({ id = '' }) => contextOf(id),
}

/** Seals a step for the row of its session; it cannot be opened in another row. */
export function sealStep(secrets: SecretBox, sessionId: string, step: SignInStep): Buffer {
  return secrets.seal(JSON.stringify(step), contextOf(sessionId))
}

/** Opens the step of a session; returns undefined when it has none, or one of another kind. */
export function openStep<Kind extends SignInStep['kind']>(
  secrets: SecretBox,
  { id, sealed }: Pick<LinkSessionRow, 'id' | 'sealed'>,
  kind: Kind,
): Extract<SignInStep, { kind: Kind }> | undefined {
  if (sealed === null) return undefined
  const step = JSON.parse(secrets.open(sealed, contextOf(id))) as SignInStep
  return step.kind === kind ? (step as Extract<SignInStep, { kind: Kind }>) : undefined
}
