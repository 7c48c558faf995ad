import { Button, type ButtonProps } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { IconCheck, IconCopy } from './icons.tsx'

interface CopyButtonProps extends ButtonProps {
  value: string
  children?: ReactNode
}

/** Copies a text, and confirms it. */
export function CopyButton({ value, children = 'Copy', ...button }: CopyButtonProps): ReactNode {
  const { copied, copy } = useClipboard({ timeout: 1500 })
  const Icon = copied ? IconCheck : IconCopy
  return (
    <Button {...button} leftSection={<Icon size={16} aria-hidden />} onClick={() => copy(value)}>
      {copied ? 'Copied' : children}
    </Button>
  )
}
