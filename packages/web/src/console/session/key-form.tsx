import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { describeRefusal, type SignIn } from './use-sign-in.ts'

/** Signs in with a management key. */
export function KeyForm({ signIn }: { signIn: SignIn }): ReactNode {
  const [key, setKey] = useState('')
  const field = useRef<HTMLInputElement>(null)
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
      {signIn.error !== undefined && (
        <p className="sign-in-error" role="alert">
          {describeRefusal(signIn.error)}
        </p>
      )}
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
          data directory. Invite colleagues under Settings, Users.
        </p>
        <p>
          On the machine of the server, <code>salus console</code> prints a link that signs in
          without a key.
        </p>
      </details>
    </>
  )
}
