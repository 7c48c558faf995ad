import { Button, TextInput } from '@mantine/core'
import { startRegistration } from '@simplewebauthn/browser'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { management, unwrapResponse } from '../api/client.ts'
import type { components } from '../api/openapi.generated.d.ts'
import { Failure } from '../components/failure.tsx'
import { Waiting } from '../components/waiting.tsx'
import { NewPassword } from './new-password.tsx'
import { describePasskeyError, hasPasskeys } from './passkeys.ts'
import { takeSignInCode, viewFrom } from './sign-in-address.ts'
import './sign-in-page.css'
import { useSignIn } from './use-sign-in.ts'

type Details = components['schemas']['InvitationDetails']

/** Accepts an invitation, whose code is behind the # of the address. */
export function InvitationPage(): ReactNode {
  const [code] = useState(() => takeSignInCode() ?? '')
  const invitation = useQuery({
    queryKey: ['invitation', code],
    queryFn: () => unwrapResponse(management.POST('/v1/console/invitation', { body: { code } })),
    enabled: code !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  useEffect(() => {
    document.title = 'Invitation · Salus'
  }, [])
  const isUnknown = code === '' || invitation.error !== null
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <p className="sign-in-brand">Salus</p>
        {isUnknown && (
          <>
            <h1>Invitation</h1>
            <p className="sign-in-error" role="alert">
              This link is not valid: it was used, revoked or replaced, or it is older than seven
              days. Ask for a new one.
            </p>
            <Link to="/signin">Sign in</Link>
          </>
        )}
        {invitation.isPending && !isUnknown && <Waiting label="Loading the invitation" />}
        {invitation.data !== undefined && <Acceptance code={code} details={invitation.data} />}
      </div>
    </main>
  )
}

function Acceptance({ code, details }: { code: string; details: Details }): ReactNode {
  const { email, organization, is_new: isNew } = details
  const [password, setPassword] = useState('')
  const signIn = useSignIn(viewFrom(undefined))
  const [isAccepted, setAccepted] = useState(false)
  const byPassword = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.POST('/v1/console/invitation/accept', { body: { code, password } }),
      ),
    onSuccess: async () => {
      setAccepted(true)
      await signIn.give({ email, password, organization_id: organization.id })
    },
  })
  const byPasskey = useMutation({
    mutationFn: () => acceptWithPasskey(code),
    onSuccess: () => setAccepted(true),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    byPassword.mutate()
  }
  if (isAccepted && !signIn.isBusy) return <Accepted onPasskey={signIn.givePasskey} />
  const isBusy = byPassword.isPending || byPasskey.isPending || signIn.isBusy
  return (
    <>
      <h1>{isNew ? `Join ${organization.name}` : 'Set a new password'}</h1>
      <p>
        {isNew
          ? 'Set a password for this account.'
          : 'Your sessions end, and you sign in with the new password.'}
      </p>
      <form onSubmit={submit} className="sign-in-form">
        <TextInput
          label="E-mail address"
          type="email"
          readOnly
          autoComplete="username"
          value={email}
        />
        <NewPassword value={password} onChange={setPassword} />
        {byPassword.error !== null && <Failure error={byPassword.error} />}
        <Button type="submit" fullWidth loading={isBusy}>
          {isNew ? 'Accept invitation' : 'Set password'}
        </Button>
      </form>
      {hasPasskeys() && (
        <>
          <p className="sign-in-or">or</p>
          {byPasskey.error !== null && (
            <p className="sign-in-error" role="alert">
              {describePasskeyError(byPasskey.error)}
            </p>
          )}
          <Button variant="default" fullWidth disabled={isBusy} onClick={() => byPasskey.mutate()}>
            Use a passkey instead
          </Button>
        </>
      )}
    </>
  )
}

async function acceptWithPasskey(code: string): Promise<void> {
  const body = { code }
  const asked = management.POST('/v1/console/invitation/passkey_challenge', { body })
  const optionsJSON = (await unwrapResponse(asked)) as never
  const response = (await startRegistration({ optionsJSON })) as never
  const accepted = { code, name: 'First passkey', response }
  await unwrapResponse(
    management.POST('/v1/console/invitation/accept_with_passkey', { body: accepted }),
  )
}

/** Follows where the acceptance does not sign in by itself: a passkey or a code is needed. */
function Accepted({ onPasskey }: { onPasskey: () => Promise<void> }): ReactNode {
  return (
    <>
      <h1>You can sign in now</h1>
      {hasPasskeys() && (
        <Button fullWidth onClick={() => onPasskey()}>
          Sign in with a passkey
        </Button>
      )}
      <Link to="/signin">Sign in with e-mail and password</Link>
    </>
  )
}
