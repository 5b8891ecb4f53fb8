-- One server for two: the false finding of the other server is hidden, the true one is not.
local common = dofile(vim.env.SCRIPTS .. '/neovim-common.lua')
local say, wait = common.say, common.wait

common.run(function()
  vim.fn.writefile({ 'module "x" {', '  source = "./x"', '}' }, 'main.tf')
  vim.fn.writefile({ 'module "x" {', '}', 'module "y" {', '}' }, 'local_override.tf')
  dofile(vim.env.RECIPE)
  vim.cmd('edit local_override.tf')
  local client = common.client()
  say('started: %s', client.name)
  local function found() return common.diagnostics('local_override.tf') end
  wait('findings of both', function() return found():find('Required attribute', 1, true) and found():find('No primary', 1, true) end)
  vim.wait(1000) -- for more
  say('findings:\n%s', found())
  local answer
  client.request('workspace/executeCommand', { command = 'tofumerge.hiddenDiagnostics' }, function(_, result) answer = result end)
  wait('the number of hidden findings', function() return answer end)
  say('hidden: %d', answer.total)

  vim.lsp.stop_client(client.id)
  wait('end of the server', function() return client.is_stopped() end)
end)
