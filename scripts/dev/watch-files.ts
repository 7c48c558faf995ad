import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

/** Editors write a file in several steps. */
const SETTLED_MS = 60

const IS_SOURCE = /\.(ts|tsx|mjs|sql|json|css|html)$/
const IS_MADE = ['node_modules', 'dist', '.git']

/**
 * Calls back with the source files that changed below folders, a moment after the last change. It
 * watches each folder by itself: recursive watching of Node.js misses changes on Linux.
 * @returns a function that stops it
 */
export function watchFiles(folders: string[], onChange: (paths: string[]) => void): () => void {
  const changed = new Set<string>()
  const watchers = new Map<string, FSWatcher>()
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
    if (watchers.has(folder)) return
    const watcher = watch(folder, (_, name) => {
      const path = join(folder, name ?? '')
      if (!IS_SOURCE.test(path)) {
        if (name !== null && !IS_MADE.includes(name)) heedFolder(path)
        return
      }
      changed.add(path)
      clearTimeout(timer)
      timer = setTimeout(settle, SETTLED_MS)
    })
    watchers.set(folder, watcher)
    watcher.on('error', () => forget(folder))
  }
  const forget = (folder: string) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  /** Handles paths without a source file: new and removed folders. */
  const heedFolder = (path: string): void => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) forget(path)
    else if (found.isDirectory()) watchFolder(path)
  }
  for (const folder of folders) watchFolder(folder)
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers.values()) watcher.close()
  }
}

function listFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
