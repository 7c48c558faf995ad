import assert from 'node:assert/strict'
import { refreshTokens, type VendorTokens } from '@salus/health/connectors'
import { EmulatedConnector } from './emulated-connector.ts'

/** An emulated vendor that grants access without its pages, to any app. */
export class GrantedConnector extends EmulatedConnector {
  async grant(
    account: string,
    scopes: readonly string[] = this.connector.auth.scopes,
    clientId = this.app.clientId,
  ): Promise<VendorTokens> {
    const { slug } = this.connector
    const answer = await this.emulator.grant(slug, account, scopes, clientId)
    const { access_token: accessToken, refresh_token: refreshToken } = answer
    const extra = { user_id: this.emulator.accountIdOf(slug, account) }
    return { accessToken, refreshToken, expiresAt: null, extra }
  }

  refresh(tokens: VendorTokens, app = this.app): Promise<VendorTokens> {
    return refreshTokens(this.connector, this.address, app, tokens, this.clock.now())
  }
}

/** Compares long lists; a difference of the whole lists would take minutes to print. */
export function assertSameRows(
  actual: readonly (readonly unknown[])[],
  expected: readonly (readonly unknown[])[],
): void {
  const [got, wanted] = [actual, expected].map((rows) => rows.map((row) => row.join(' ')))
  const at = wanted?.findIndex((row, position) => row !== got?.[position]) ?? -1
  if (at >= 0) assert.equal(got?.[at], wanted?.[at], `row ${at}`)
  assert.equal(actual.length, expected.length)
}
