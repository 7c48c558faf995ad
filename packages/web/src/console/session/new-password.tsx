import { PasswordInput } from '@mantine/core'
import type { ReactNode } from 'react'

interface NewPasswordProps {
  value: string
  onChange: (value: string) => void
}

/** A field for a new password, with the rule of the server. */
export function NewPassword({ value, onChange }: NewPasswordProps): ReactNode {
  return (
    <PasswordInput
      label="New password"
      description="At least 12 characters, hard to guess."
      required
      minLength={12}
      maxLength={256}
      autoComplete="new-password"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
    />
  )
}
