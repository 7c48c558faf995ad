import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { Failure } from '../../components/failure.tsx'
import { Section } from '../../components/page.tsx'
import { NewPassword } from '../new-password.tsx'
import { type Account, useAccountChange } from './account-queries.ts'

/** Changes the password. */
export function PasswordSection({ account }: { account: Account }): ReactNode {
  const { has_password: hasPassword } = account.user
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useAccountChange((body: { current_password?: string; password: string }) =>
    unwrapResponse(management.PUT('/v1/console/user/password', { body })),
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate(
      { password, ...(hasPassword && { current_password: current }) },
      {
        onSuccess: () => {
          setCurrent('')
          setPassword('')
        },
      },
    )
  }
  return (
    <Section
      title="Password"
      description={
        hasPassword
          ? 'A new password ends your other sessions.'
          : 'You have no password, and sign in with a passkey.'
      }
    >
      <form className="settings-form" onSubmit={submit}>
        {/* Password managers store the password for this account. */}
        <input type="hidden" name="username" autoComplete="username" value={account.user.email} />
        {hasPassword && (
          <PasswordInput
            label="Current password"
            description="The one with which you sign in now."
            required
            autoComplete="current-password"
            value={current}
            onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the current password', tabIndex: 0 }}
          />
        )}
        <NewPassword value={password} onChange={setPassword} />
        <div className="settings-form-end">
          <Button type="submit" loading={change.isPending}>
            {hasPassword ? 'Change password' : 'Set password'}
          </Button>
          {change.isSuccess && <span role="status">The password was changed.</span>}
        </div>
        {change.error !== null && <Failure error={change.error} />}
      </form>
    </Section>
  )
}
