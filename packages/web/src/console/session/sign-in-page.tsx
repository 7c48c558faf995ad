import { Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { baseUrl } from '../api/client.ts'
import { signInMethodsQuery } from '../api/session.ts'
import { KeyForm } from './key-form.tsx'
import { hasPasskeys } from './passkeys.ts'
import { PasswordForm } from './password-form.tsx'
import { takeSignInCode, viewFrom } from './sign-in-address.ts'
import './sign-in-page.css'
import { type SignIn, useSignIn } from './use-sign-in.ts'

/** The sign-in: as a user, with a key, with a one-time code, or by an identity provider. */
export function SignInPage(): ReactNode {
  const { to, failure } = useSearch({ strict: false }) as { to?: string; failure?: string }
  const [code] = useState(takeSignInCode)
  const signIn = useSignIn(viewFrom(to))
  const { give } = signIn
  const isGiven = useRef(false)
  useEffect(() => {
    document.title = 'Sign in · Salus'
    // A code works once, and effects may run twice.
    if (code === undefined || isGiven.current) return
    isGiven.current = true
    give({ code })
  }, [code, give])
  const isWithCode = code !== undefined && signIn.error === undefined
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <p className="sign-in-brand">Salus</p>
        {isWithCode ? (
          <p className="sign-in-busy" role="status">
            <Loader size="sm" /> Signing you in
          </p>
        ) : (
          <SignInWays to={to} failure={failure} signIn={signIn} />
        )}
      </div>
    </main>
  )
}

const FAILURES: Record<string, string> = {
  cancelled: 'The sign-in was cancelled.',
  no_role: 'Your account has no access to this console. Ask its operator.',
  unreachable: 'The identity provider does not answer. Try again in a moment.',
  failed: 'The sign-in failed. Try again.',
}

function SignInWays({
  to,
  failure,
  signIn,
}: {
  to: string | undefined
  failure: string | undefined
  signIn: SignIn
}): ReactNode {
  const { data: methods } = useQuery(signInMethodsQuery)
  const [chosen, setChosen] = useState<'password' | 'key'>()
  if (methods === undefined) return null
  // Before there are users, the first sign-in is with the key of the first start.
  const way = chosen ?? (methods.has_users ? 'password' : 'key')
  const provider = methods.openid_connect
  const query = to === undefined ? '' : `?${new URLSearchParams({ to })}`
  const other = way === 'key' ? 'password' : 'key'
  return (
    <>
      <h1>Sign in</h1>
      {failure !== undefined && signIn.error === undefined && FAILURES[failure] !== undefined && (
        <p className="sign-in-error" role="alert">
          {FAILURES[failure]}
        </p>
      )}
      {provider !== null && (
        <>
          <Button component="a" href={`${baseUrl}/console/openid/start${query}`} fullWidth>
            Sign in with {provider.name}
          </Button>
          <p className="sign-in-or">or</p>
        </>
      )}
      {way === 'key' ? <KeyForm signIn={signIn} /> : <PasswordForm signIn={signIn} />}
      {methods.has_users && hasPasskeys() && (
        <Button
          variant="default"
          fullWidth
          disabled={signIn.isBusy}
          onClick={() => signIn.givePasskey()}
        >
          Sign in with a passkey
        </Button>
      )}
      {methods.has_users && (
        <Button variant="subtle" size="compact-sm" onClick={() => setChosen(other)}>
          {way === 'key' ? 'Use e-mail and password' : 'Use a management key'}
        </Button>
      )}
    </>
  )
}
