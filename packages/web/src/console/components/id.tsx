import { ActionIcon } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { IconCheck, IconCopy } from './icons.tsx'

const SHOWN_DIGITS = 8

/** Returns the end of an id: the beginning is the time, and the same for many. */
export const endOfId = (id: string): string => `…${id.slice(-SHOWN_DIGITS)}`

interface IdProps {
  value: string
  /** What the id names, for the button: `Copy the id of the order`. */
  of: string
  /** Shows only the end of the id. */
  isShort?: boolean
}

/** An id, and a button that copies it. */
export function Id({ value, of, isShort = false }: IdProps): ReactNode {
  const { copied, copy } = useClipboard({ timeout: 1500 })
  const Icon = copied ? IconCheck : IconCopy
  return (
    <span className="id">
      <code title={value}>{isShort ? endOfId(value) : value}</code>
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
