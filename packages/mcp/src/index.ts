export { createMcpServer } from './create-server.ts'
export { answerOverHttp } from './http.ts'
export { addressOf, type CallSalus, callOverHttp, readAnswer } from './salus-call.ts'
export { serveStdio } from './stdio.ts'
