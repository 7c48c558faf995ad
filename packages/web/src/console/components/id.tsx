import { ActionIcon } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { IconCheck, IconCopy } from './icons.tsx'

interface IdProps {
  value: string
  /** What the id names, for the button: `Copy the id of the order`. */
  of: string
  /** Shows only the beginning of the id. */
  isShort?: boolean
}

/** An id, and a button that copies it. */
export function Id({ value, of, isShort = false }: IdProps): ReactNode {
  const { copied, copy } = useClipboard({ timeout: 1500 })
  const Icon = copied ? IconCheck : IconCopy
  return (
    <span className="id">
      <code title={value}>{isShort ? value.slice(0, 8) : value}</code>
      <ActionIcon
        variant="subtle"
        size={24}
        aria-label={copied ? 'Copied' : `Copy the id of ${of}`}
        onClick={() => copy(value)}
      >
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </span>
  )
}
