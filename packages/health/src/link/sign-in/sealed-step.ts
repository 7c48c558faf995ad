import type { SealedColumn } from '@salus/kernel/crypto/reseal'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { PasswordGiven } from '../../connectors/index.ts'
import type { LinkSessionRow } from '../link-sessions.repository.ts'

/** What a sign-in goes on with, kept sealed between two requests. */
export type SignInStep =
  | {
      kind: 'oauth'
      redirectUri: string
      codeVerifier: string | undefined
      /** Hash of what the browser that began keeps, in base64; undefined where no browser did. */
      browser?: string | undefined
    }
  | { kind: 'mfa'; challenge: string; given: PasswordGiven }

const contextOf = (sessionId: string): string => `link_sessions ${sessionId}`

/** For a change of the key that seals. */
export const SEALED_STEPS: SealedColumn = {
  table: 'link_sessions',
  column: 'sealed',
  key: ['id'],
  contextOf: ({ id = '' }) => contextOf(id),
}

/** For the row of the session alone: in another it does not open. */
export function sealStep(secrets: SecretBox, sessionId: string, step: SignInStep): Buffer {
  return secrets.seal(JSON.stringify(step), contextOf(sessionId))
}

/** The step of a session; undefined when it has none, or one of another kind. */
export function openStep<Kind extends SignInStep['kind']>(
  secrets: SecretBox,
  { id, sealed }: Pick<LinkSessionRow, 'id' | 'sealed'>,
  kind: Kind,
): Extract<SignInStep, { kind: Kind }> | undefined {
  if (sealed === null) return undefined
  const step = JSON.parse(secrets.open(sealed, contextOf(id))) as SignInStep
  return step.kind === kind ? (step as Extract<SignInStep, { kind: Kind }>) : undefined
}
