import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

interface IdFieldProps {
  label: string
  value: string
  onChange: (id: string) => void
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An id to look for; taken when it is whole, or when it is cleared. */
export function IdField({ label, value, onChange }: IdFieldProps): ReactNode {
  return (
    <TextInput
      // Another one when the address changes by other means.
      key={value}
      label={label}
      placeholder="Paste an id"
      autoComplete="off"
      defaultValue={value}
      onChange={({ currentTarget: { value: text } }) => {
        const id = text.trim()
        if (id !== value && (id === '' || UUID.test(id))) onChange(id)
      }}
    />
  )
}
