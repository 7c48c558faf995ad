import { Button, Loader, PasswordInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { baseUrl, clearTokens, management, unwrapResponse } from '../api/client.ts'
import { type ConsoleSession, sessionQuery, signInMethodsQuery } from '../api/session.ts'
import { takeSignInCode, viewFrom } from './sign-in-address.ts'
import './sign-in-page.css'

/** The sign-in: with a one-time code of the address, a management key, or an identity provider. */
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
          <SignInForm to={to} failure={failure} signIn={signIn} />
        )}
      </div>
    </main>
  )
}

interface SignIn {
  /** The last error, in plain words. */
  error: string | undefined
  isBusy: boolean
  give: (secret: { management_key: string } | { code: string }) => Promise<void>
}

function useSignIn(view: string): SignIn {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [state, setState] = useState<Omit<SignIn, 'give'>>({ error: undefined, isBusy: false })
  const [give] = useState(() => async (body: { management_key: string } | { code: string }) => {
    setState({ error: undefined, isBusy: true })
    try {
      const session = await unwrapResponse(management.POST('/v1/console/session', { body }))
      // The next user may have fewer rights than the last one.
      clearTokens()
      queryClient.clear()
      queryClient.setQueryData(sessionQuery.queryKey, session as ConsoleSession)
      router.history.replace(view)
    } catch (error) {
      setState({ error: describeRefusal(error), isBusy: false })
    }
  })
  return { ...state, give }
}

const REFUSALS: Record<string, string> = {
  invalid_api_key: 'This management key is unknown or revoked. Check it and try again.',
  invalid_code:
    'This sign-in link was used already or is older than 15 minutes. Run “salus console” for a new one, or sign in with a management key.',
  rate_limited: 'Too many attempts. Wait a minute, then try again.',
  cross_site_request:
    'The address of the server differs from its configured one. Check SALUS_BASE_URL and SALUS_TRUSTED_PROXIES.',
}

function describeRefusal(error: unknown): string {
  const known = error instanceof ApiError ? REFUSALS[error.errorType] : undefined
  return known ?? (error instanceof Error ? error.message : 'Something went wrong. Try again.')
}

const FAILURES: Record<string, string> = {
  cancelled: 'The sign-in was cancelled.',
  no_role: 'Your account has no access to this console. Ask its operator.',
  unreachable: 'The identity provider does not answer. Try again in a moment.',
  failed: 'The sign-in failed. Try again.',
}

function SignInForm({
  to,
  failure,
  signIn,
}: {
  to: string | undefined
  failure: string | undefined
  signIn: SignIn
}): ReactNode {
  const [key, setKey] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const error = signIn.error ?? (failure === undefined ? undefined : FAILURES[failure])
  useEffect(() => {
    if (signIn.error !== undefined) field.current?.focus()
  }, [signIn.error])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // A key that is copied from a terminal or a file often has spaces around it.
    const management_key = key.trim()
    if (management_key === '') field.current?.focus()
    else signIn.give({ management_key })
  }
  return (
    <>
      <h1>Sign in</h1>
      {error !== undefined && (
        <p className="sign-in-error" role="alert">
          {error}
        </p>
      )}
      <ProviderButton to={to} />
      <form onSubmit={submit} className="sign-in-form">
        <PasswordInput
          ref={field}
          label="Management key"
          placeholder="mg_…"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="current-password"
          spellCheck={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the key', tabIndex: 0 }}
          disabled={signIn.isBusy}
        />
        <Button type="submit" fullWidth loading={signIn.isBusy}>
          Sign in
        </Button>
      </form>
      <details className="sign-in-help">
        <summary>Where do I find a management key?</summary>
        <p>
          The first start of the server prints one, and stores it in <code>keys.json</code> in its
          data directory. Create keys for colleagues under Settings.
        </p>
        <p>
          On the machine of the server, <code>salus console</code> prints a link that signs in
          without a key.
        </p>
      </details>
    </>
  )
}

/** Links to the identity provider, where one is configured. */
function ProviderButton({ to }: { to: string | undefined }): ReactNode {
  const { data } = useQuery(signInMethodsQuery)
  const provider = data?.openid_connect
  if (!provider) return null
  const query = to === undefined ? '' : `?${new URLSearchParams({ to })}`
  return (
    <>
      <Button component="a" href={`${baseUrl}/console/openid/start${query}`} fullWidth>
        Sign in with {provider.name}
      </Button>
      <p className="sign-in-or">or</p>
    </>
  )
}
