-- Reads hints and lenses, while typing in another file, and runs a lens.
local common = dofile(vim.env.SCRIPTS .. '/neovim-common.lua')
local say, wait = common.say, common.wait
local enablesLenses = vim.lsp.codelens and vim.lsp.codelens.enable -- 0.12

-- The buffer with its hints.
local function shown()
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  for _, h in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
    local at, label = h.inlay_hint.position, h.inlay_hint.label
    if type(label) == 'table' then
      label = table.concat(vim.tbl_map(function(part) return part.value end, label))
    end
    if h.inlay_hint.paddingLeft then label = ' ' .. label end
    lines[at.line + 1] = lines[at.line + 1] .. label
  end
  return table.concat(lines, '\n')
end

local function lenses()
  local list = {}
  for _, lens in ipairs(vim.lsp.codelens.get(enablesLenses and { bufnr = 0 } or 0)) do
    lens = lens.lens or lens
    table.insert(list, string.format('%d: %s', lens.range.start.line + 1, lens.command.title))
  end
  return table.concat(list, '\n')
end

common.run(function()
  if not vim.lsp.inlay_hint then common.lacks('hints before Neovim 0.10') end
  vim.lsp.codelens.enable = vim.lsp.codelens.enable or function() end -- before 0.12
  dofile(vim.env.RECIPE)
  vim.cmd('edit main.tf')
  local client = common.client()
  wait('hints', function() return shown():find('t3.micro', 1, true) end)
  say('main.tf:\n%s', shown())

  -- Type in the override file beside it: 0.10 leaves the hints of a buffer that is hidden.
  vim.cmd('split local_override.tf')
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  vim.cmd([[normal! $ci"m6i.large]])
  vim.cmd('wincmd p')
  wait('new hint', function() return shown():find('m6i.large', 1, true) end)
  say('typed:\n%s', shown())

  if not enablesLenses then vim.lsp.codelens.refresh({ bufnr = 0 }) end
  wait('lenses', function() return lenses() ~= '' end)
  say('lenses: %s', lenses())
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.lsp.codelens.run()
  wait('list of overrides', function() return vim.bo.buftype == 'quickfix' end)
  for _, place in ipairs(vim.fn.getqflist()) do
    say('override: %s:%d', vim.fn.fnamemodify(vim.fn.bufname(place.bufnr), ':t'), place.lnum)
  end

  client:stop()
  wait('end of the server', function() return client:is_stopped() end)
end)
