import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'
import { IconFileDownload } from './icons.tsx'
import { saveFile } from './save-file.ts'

interface DocumentButtonProps {
  title: string
  fileName: string
  /** Loads the bytes with a header that authorizes the request, which a plain link cannot send. */
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
