import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import type { Command } from 'commander'
import { buildProgram } from './program.ts'

/** All commands with what `--help` prints of each. */
function helpOf(command: Command, path = 'salus'): [path: string, help: string][] {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  return [
    [path, help],
    ...command.commands.flatMap((child) => helpOf(child, `${path} ${child.name()}`)),
  ]
}

async function printCompletion(shell: string): Promise<string> {
  const lines: string[] = []
  const print = console.log
  console.log = (line: string) => lines.push(line)
  try {
    await buildProgram().parseAsync(['node', 'salus', 'completion', shell])
  } finally {
    console.log = print
  }
  return lines.join('\n')
}

test('no line of any help is longer than 80 letters', () => {
  const all = helpOf(buildProgram())
  assert.ok(all.length > 40)
  const long = all.flatMap(([path, help]) =>
    help.split('\n').flatMap((line) => (line.length > 80 ? `${path}: ${line}` : [])),
  )
  assert.deepEqual(long, [])
})

test('the help of a command offers the global options that it can use, and no others', () => {
  const help = new Map(helpOf(buildProgram()))
  const globalOptionsOf = (path: string): string[] => {
    const [, globals = ''] = (help.get(path) ?? '').split('Global Options:')
    return [...globals.matchAll(/^ +(--[a-z-]+)/gm)].map(([, flag = '']) => flag)
  }
  assert.deepEqual(globalOptionsOf('salus users show'), ['--url', '--api-key', '--data-dir'])
  assert.deepEqual(globalOptionsOf('salus catalog import'), [
    ...['--url', '--management-key', '--data-dir'],
  ])
  assert.deepEqual(globalOptionsOf('salus key recover'), ['--data-dir'])
  assert.deepEqual(globalOptionsOf('salus receipt verify'), ['--url'])
  assert.deepEqual(globalOptionsOf('salus parse'), [])
  assert.doesNotMatch(help.get('salus parse') ?? '', /Global Options/)
  for (const flag of ['--url', '--api-key', '--management-key', '--data-dir']) {
    assert.match(help.get('salus') ?? '', new RegExp(`^ +${flag} <`, 'm'))
  }
})

test('bash completes commands, their options and the values of those', async () => {
  const script = await printCompletion('bash')
  const complete = (...words: string[]) => {
    const typed = words.map((word) => `'${word}'`).join(' ')
    const call = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _salus; echo "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${call}`], { encoding: 'utf8' })
    assert.equal(stderr, '')
    return stdout.trim().split(' ')
  }
  assert.deepEqual(complete('salus', 'us'), ['users', 'user'])
  assert.deepEqual(complete('salus', 'users', 's'), ['show'])
  assert.deepEqual(complete('salus', 'users', 'list', '--li'), ['--limit'])
  assert.deepEqual(complete('salus', '--url', 'http://x', 'orders', 'l'), ['list'])
  assert.deepEqual(complete('salus', 'query', '--by', 'week'), ['week', 'weekday'])
  assert.deepEqual(complete('salus', 'key', 'list', '--man'), ['--management-key'])
  assert.deepEqual(complete('salus', 'users', 'list', '--man'), [''])
})

test('zsh and fish are given all commands, too', async () => {
  assert.match(await printCompletion('zsh'), /^autoload -U bashcompinit/)
  const fish = await printCompletion('fish')
  for (const [path] of helpOf(buildProgram())) {
    assert.ok(path === 'salus' || fish.includes(` -a ${path.split(' ').at(-1)} `), path)
  }
})
