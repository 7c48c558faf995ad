import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Page } from '../../components/page.tsx'
import { ConsoleSessions } from '../settings/console-sessions.tsx'
import '../settings/settings.css'
import { ROLE_WORDS } from '../settings/role-fields.tsx'
import './account.css'
import { accountQuery } from './account-queries.ts'
import { AuthenticatorApp } from './authenticator-app.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordSection } from './password-section.tsx'

/** What the signed-in user signs in with, and their sessions. */
export function AccountPage(): ReactNode {
  const { data: account } = useSuspenseQuery(accountQuery)
  const { name, email, role } = account.user
  return (
    <Page title="Account" description={`${name}, ${email}. ${ROLE_WORDS[role]}.`}>
      <PasswordSection account={account} />
      <AuthenticatorApp account={account} />
      <Passkeys account={account} />
      <ConsoleSessions keyId={account.user.management_key_id} />
    </Page>
  )
}
