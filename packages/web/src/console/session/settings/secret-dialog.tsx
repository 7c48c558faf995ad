import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Dialog } from '../../components/dialog.tsx'

interface SecretDialogProps {
  title: string
  /** The secret, until it is closed; undefined while there is none to show. */
  value: string | undefined
  /** What to do with it. */
  children: ReactNode
  onClose: () => void
}

/** A secret that was just made. It is in this answer of the server and nowhere else. */
export function SecretDialog({ title, value, children, onClose }: SecretDialogProps): ReactNode {
  const { copied, copy } = useClipboard({ timeout: 2000 })
  const Icon = copied ? IconCheck : IconCopy
  return (
    <Dialog
      title={title}
      isOpen={value !== undefined}
      onClose={onClose}
      actions={<Button onClick={onClose}>I have kept it</Button>}
    >
      <div className="settings-dialog">
        <p>{children}</p>
        <div className="settings-secret">
          <code>{value}</code>
          <Button
            variant="subtle"
            leftSection={<Icon size={16} aria-hidden />}
            onClick={() => copy(value)}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        </div>
        <p className="quiet">It is shown this once, and cannot be read again.</p>
      </div>
    </Dialog>
  )
}
