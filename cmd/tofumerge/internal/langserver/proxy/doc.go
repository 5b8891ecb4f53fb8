// Package proxy joins this language server and another one for the same files into one server, and
// hides the false diagnostics of the other one in override files.
//
// Some requests are answered by both servers and the answers are merged, others by one of them: the
// table of methods decides (see method). Anything that isn't in the table, in either direction, is
// passed on between the editor and the other server unchanged. The other server's diagnostics pass
// unless a row of the table of false findings knows them (see falseFinding), and then this server
// must confirm that the primary block holds the missing item.
//
// The editor's user chose the other server, so the proxy trusts its answers, but not that it works:
// it may crash, hang, flood its output or send no JSON. The proxy starts a server that crashed
// again, with the documents that are open, answers without it meanwhile, and keeps no more than a
// bounded number of requests and bytes for it. It refuses to pass on messages that aren't JSON-RPC.
package proxy
