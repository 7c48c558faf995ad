import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
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
          <CopyButton variant="subtle" value={value ?? ''} />
        </div>
        <p className="quiet">It is shown this once, and cannot be read again.</p>
      </div>
    </Dialog>
  )
}
