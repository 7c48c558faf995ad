import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'

/** Editors write a file in several steps. */
const SETTLED_MS = 60

const IS_SOURCE = /\.(ts|tsx|mjs|sql|json|css|html)$/
const IS_MADE = ['node_modules', 'dist', '.git']

/**
 * Calls with the source files that changed below folders, a moment after the last change. It watches folder by
 * folder: recursive watching of Node.js misses changes on Linux.
 */
export function watchFiles(folders: string[], onChange: (paths: string[]) => void): void {
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const settle = () => {
    const paths = [...changed].sort()
    changed.clear()
    onChange(paths)
  }
  const watchFolder = (folder: string): void => {
    for (const entry of listFolder(folder)) {
      if (entry.isDirectory() && !IS_MADE.includes(entry.name))
        watchFolder(join(folder, entry.name))
    }
    const watcher = watch(folder, (_, name) => {
      const path = join(folder, name ?? '')
      if (!IS_SOURCE.test(path)) {
        if (name !== null && !IS_MADE.includes(name) && listFolder(path).length > 0)
          watchFolder(path)
        return
      }
      changed.add(path)
      clearTimeout(timer)
      timer = setTimeout(settle, SETTLED_MS)
    })
    // The folder is gone.
    watcher.on('error', () => watcher.close())
  }
  for (const folder of folders) watchFolder(folder)
}

function listFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
