import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { sessionQuery } from '../../api/session.ts'
import { Waiting } from '../../components/waiting.tsx'
import '../settings/settings.css'
import '../sign-in-page.css'
import { useIdleSignOut, useSignOut } from '../sign-out.ts'
import './account.css'
import { accountQuery } from './account-queries.ts'
import { AuthenticatorApp } from './authenticator-app.tsx'
import { Passkeys } from './passkeys.tsx'

/** The page of a session that can only set up the second factor that the organization requires. */
export function SecondFactorPage(): ReactNode {
  const { data: session } = useQuery(sessionQuery)
  const { data: account } = useQuery(accountQuery)
  const signOut = useSignOut()
  const navigate = useNavigate()
  useIdleSignOut()
  useEffect(() => {
    document.title = 'Second factor · Salus'
  }, [])
  const isDone = session?.second_factor_setup_required === false
  return (
    <main className="second-factor">
      <header>
        <p className="sign-in-brand">Salus</p>
        <h1>Set up a second factor</h1>
        <p>
          Your organization requires one beside the password: an authenticator app or a passkey.
        </p>
      </header>
      {account === undefined ? (
        <Waiting label="Loading your account" />
      ) : (
        <>
          <AuthenticatorApp account={account} />
          <Passkeys account={account} />
        </>
      )}
      <div className="settings-dialog-end">
        <Button variant="subtle" onClick={() => signOut()}>
          Sign out
        </Button>
        <Button disabled={!isDone} onClick={() => navigate({ to: '/' })}>
          Continue
        </Button>
      </div>
    </main>
  )
}
