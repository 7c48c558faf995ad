import { Button, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { hasPasskeys } from './passkeys.ts'
import { describeRefusal, type SignIn } from './use-sign-in.ts'

interface Asked {
  methods?: string[]
  organizations?: { id: string; name: string }[]
}

/** Returns what the server asks for after the right password. */
function askedBy(error: unknown, type: string): Asked | undefined {
  if (!(error instanceof ApiError) || error.errorType !== type) return undefined
  return error.detail as Asked
}

const QUESTIONS = ['second_factor_required', 'organization_required']
const isQuestion = (error: unknown): boolean =>
  error instanceof ApiError && QUESTIONS.includes(error.errorType)

/** Signs in with e-mail address and password, and with a code where the user needs one. */
export function PasswordForm({ signIn }: { signIn: SignIn }): ReactNode {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [organizationId, setOrganizationId] = useState<string>()
  const [methods, setMethods] = useState<string[]>()
  const [organizations, setOrganizations] = useState<Asked['organizations']>()
  const codeField = useRef<HTMLInputElement>(null)
  const { error } = signIn
  useEffect(() => {
    const factor = askedBy(error, 'second_factor_required')
    if (factor?.methods !== undefined) setMethods(factor.methods)
    const several = askedBy(error, 'organization_required')
    if (several?.organizations !== undefined) {
      setOrganizations(several.organizations)
      setOrganizationId(several.organizations[0]?.id)
    }
    if (factor !== undefined || error !== undefined) codeField.current?.focus()
  }, [error])
  const needsCode = methods?.includes('totp') ?? false
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    signIn.give({
      email: email.trim(),
      password,
      ...(organizationId !== undefined && { organization_id: organizationId }),
      ...(needsCode && code.trim() !== '' && { second_factor_code: code.trim() }),
    })
  }
  /** Another account may need no code. */
  const restart = (): void => {
    setMethods(undefined)
    setOrganizations(undefined)
    setOrganizationId(undefined)
    setCode('')
  }
  return (
    <>
      {error !== undefined && !isQuestion(error) && (
        <p className="sign-in-error" role="alert">
          {describeRefusal(error)}
        </p>
      )}
      <form onSubmit={submit} className="sign-in-form">
        <TextInput
          label="E-mail address"
          type="email"
          required
          autoComplete="username"
          value={email}
          onChange={({ currentTarget }) => {
            setEmail(currentTarget.value)
            restart()
          }}
        />
        <PasswordInput
          label="Password"
          required
          autoComplete="current-password"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
        />
        {organizations !== undefined && (
          <NativeSelect
            label="Organization"
            value={organizationId}
            onChange={({ currentTarget }) => setOrganizationId(currentTarget.value)}
            data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        {needsCode && (
          <TextInput
            ref={codeField}
            label="Code"
            description="Of your authenticator app, or a recovery code."
            required
            autoComplete="one-time-code"
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
        )}
        {methods !== undefined && !needsCode && (
          <p role="status">
            {hasPasskeys()
              ? 'You have a passkey as second factor. Sign in with it.'
              : 'You have a passkey as second factor. Open the console by its host name, and sign in with the passkey.'}
          </p>
        )}
        <Button type="submit" fullWidth loading={signIn.isBusy}>
          Sign in
        </Button>
      </form>
    </>
  )
}
