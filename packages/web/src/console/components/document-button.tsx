import { Button } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

interface DocumentButtonProps {
  title: string
  fileName: string
  /** The bytes; what guards them is a header, which no plain link can send. */
  load: () => Promise<Blob>
}

/** Saves a document that is behind the sign-in. */
export function DocumentButton({ title, fileName, load }: DocumentButtonProps): ReactNode {
  const save = useMutation({
    mutationFn: load,
    onSuccess: (document) => saveFile(document, fileName),
  })
  return (
    <div>
      <Button
        variant="outline"
        loading={save.isPending}
        leftSection={<IconFileDownload size={16} aria-hidden />}
        onClick={() => save.mutate()}
      >
        {title}
      </Button>
      {save.error && <Failure error={save.error} />}
    </div>
  )
}

function saveFile(content: Blob, fileName: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
