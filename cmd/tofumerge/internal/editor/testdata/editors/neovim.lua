-- Types, reads diagnostics and a hover, applies an action, undoes it, opens the effective
-- configuration, goes to a definition, writes settings.
local common = dofile(vim.env.SCRIPTS .. '/neovim-common.lua')
local say, wait, position, diagnostics = common.say, common.wait, common.position, common.diagnostics

local function request(method, params)
  local results = vim.lsp.buf_request_sync(0, method, params, 120000)
  for _, r in pairs(results or {}) do
    return r.result
  end
end

common.run(function()
  dofile(vim.env.RECIPE)
  vim.cmd('edit local_override.tf')
  local client = common.client()

  -- Type what is in effect anyway.
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  vim.cmd([[normal! $ci"m5.large]])
  wait('diagnostics', function() return diagnostics('local_override.tf') ~= '' end)
  say('typed: %s', diagnostics('local_override.tf'))

  local hover = request('textDocument/hover', position(3, 4))
  say('hover: %s', vim.inspect(hover and hover.contents and (hover.contents.value or hover.contents)))

  -- The first action that is offered.
  local titles
  vim.ui.select = function(items, _, choose)
    titles = {}
    for _, item in ipairs(items) do
      local action = item.action or item[2] or item
      table.insert(titles, action.title)
    end
    choose(items[1], 1)
  end
  local before = common.text()
  position(3, 4)
  vim.cmd('let &undolevels = &undolevels') -- what follows is undone alone
  vim.lsp.buf.code_action()
  wait('change by a code action', function() return common.text() ~= before end)
  say('actions: %s', table.concat(titles or {}, ' | '))
  say('after the first:\n%s', common.text())
  wait('diagnostics to go', function() return diagnostics('local_override.tf') == '' end)

  vim.cmd('undo')
  wait('diagnostics to come back', function() return diagnostics('local_override.tf') ~= '' end)
  say('undone: %s', diagnostics('local_override.tf'))

  vim.cmd('TofumergeEffective')
  wait('effective configuration', function() return vim.bo.buftype == 'nofile' end)
  say('effective:\n%s', common.text())
  vim.cmd('close')

  position(3, 4)
  vim.lsp.buf.definition()
  wait('definition', function() return vim.fn.expand('%:t') == 'main.tf' end)
  say('definition: %s:%d', vim.fn.expand('%:t'), vim.api.nvim_win_get_cursor(0)[1])

  -- Settings: the file is new, and applies before it is saved.
  vim.o.hidden = true
  vim.cmd('edit .tofumerge.hcl')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'disable = ["no-efect"]' })
  wait('diagnostics of settings', function() return diagnostics('.tofumerge.hcl') ~= '' end)
  say('settings: %s', diagnostics('.tofumerge.hcl'))

  client.stop()
  wait('end of the server', function() return client.is_stopped() end)
end)
