import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

interface IdFieldProps {
  label: string
  value: string
  onChange: (id: string) => void
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A field for a whole id; it changes the value when the id is complete or cleared. */
export function IdField({ label, value, onChange }: IdFieldProps): ReactNode {
  return (
    <TextInput
      // Renders a new field when the address changes by other means.
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
